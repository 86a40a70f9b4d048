// SPDX-License-Identifier: MIT
// Causal self-attention for training: nothing of size T x T outlives the pass.
#pragma once

#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

/// output_h,t = softmax_{s <= t}(query_h,t . key_s / sqrt(K)) value_s: what scaled_dot_product gives with
/// Causal::bottom_right. query [B, H, T, K], key and value [B, G, T, K] with G dividing H -> [B, H, T, K].
/// A tape keeps the operands and the output alone; on the way back the weights are computed again, some rows at a time.
/// Throws ShapeError naming the shapes.
/// Dao et al., "FlashAttention: Fast and Memory-Efficient Exact Attention", 2022, algorithm 4.
Tensor causal_attention(const Tensor& query, const Tensor& key, const Tensor& value);

}  // namespace lookback::attention
