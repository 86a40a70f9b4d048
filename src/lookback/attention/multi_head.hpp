// SPDX-License-Identifier: MIT
// Multi-head attention with its projections: self-attention and cross-attention.
#pragma once

#include <cstdint>
#include <optional>

#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/nn/linear.hpp"

namespace lookback::attention {

struct MultiHeadWeights {
  nn::Linear query;                    ///< W_Q [D, H K]
  nn::Linear key;                      ///< W_K [Dm, G K]
  nn::Linear value;                    ///< W_V [Dm, G Kv]
  std::optional<nn::Linear> output{};  ///< W_O [H Kv, Do]; without it the heads' outputs stand side by side
};

struct MultiHeadOptions {
  std::int64_t heads = 1;                  ///< H
  std::optional<std::int64_t> kv_heads{};  ///< G; default H
  ScaledDotProductOptions attention{};
};

struct MultiHead {
  Tensor output;  ///< [T, Do], with B in front for a batch
  // Without capture all below is empty: heads are read where the projections put them.
  Tensor query;            ///< [H, T, K]
  Tensor key;              ///< [G, S, K]
  Tensor value;            ///< [G, S, Kv]
  ScaledDotProduct heads;  ///< each head's own scores, weights and output
};

/// head_h = attention(x W_Q,h, memory W_K,h, memory W_V,h); output = [head_1; ...; head_H] W_O.
/// x [T, D] or [B, T, D]; memory [S, Dm] or [B, S, Dm]: x itself is self-attention, another sequence cross-attention.
/// Throws ShapeError naming the numbers when heads do not divide a projection's width or shapes disagree.
/// Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2.
MultiHead multi_head(const Tensor& x, const Tensor& memory, const MultiHeadWeights& weights,
                     const MultiHeadOptions& options);

}  // namespace lookback::attention
