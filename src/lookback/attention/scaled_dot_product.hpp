// SPDX-License-Identifier: MIT
// Scaled dot-product attention for any number of heads.
#pragma once

#include <optional>

#include "lookback/attention/mask.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

struct ScaledDotProductOptions {
  std::optional<float> scale{};     ///< default 1 / sqrt(K)
  std::optional<float> soft_cap{};  ///< cap * tanh(score / cap), before the masks
  Mask mask{};
  PositionRule positions{};
  std::optional<Tensor> past_key{};    ///< [B, G, P, K] (or [G, P, K]), put before key
  std::optional<Tensor> past_value{};  ///< [B, G, P, Kv]
  /// Set where operands are packed: query [.., T, H K], key [.., S, G K], value [.., S, G Kv] with H = heads, and the
  /// output [.., T, H Kv]. All else keeps its heads apart.
  std::optional<std::int64_t> heads{};
  std::optional<std::int64_t> kv_heads{};  ///< G; default H
  /// False: the output alone, by the fused kernel, whose memory grows with S and not with T S.
  bool capture = true;
};

struct ScaledDotProduct {
  Tensor output;  ///< [.., H, T, Kv]
  // Without capture these four are empty.
  Tensor weights;        ///< [.., H, T, S]
  Tensor scores;         ///< q k^T * scale
  Tensor capped_scores;  ///< after the soft cap
  Tensor masked_scores;  ///< after cap, mask and positions; dropped keys are -infinity
  Tensor present_key;    ///< past and new: [.., G, S, K]; without a past, the key as it came
  Tensor present_value;
};

/// output = softmax(query key^T * scale + mask) value.
/// query [T, K], [H, T, K] or [B, H, T, K]; key, value of the same rank with G heads, G dividing H: consecutive query
/// heads share a key head. S counts the past. A row whose every key is dropped yields zeros; S = 0 yields zeros. A key
/// of weight 0, dropped or far below the largest, adds nothing even where its value is infinite or NaN.
/// Throws ShapeError naming all three shapes when they disagree or G does not divide H, ValueError for scale or cap.
/// Vaswani et al., "Attention Is All You Need", 2017, eq. 1; Ainslie et al., "GQA", 2023, for G < H.
ScaledDotProduct scaled_dot_product(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const ScaledDotProductOptions& options = {});

}  // namespace lookback::attention
