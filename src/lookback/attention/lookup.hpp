// SPDX-License-Identifier: MIT
// The second and third step of attention: scores become weights, weights read the values.
#pragma once

#include "lookback/attention/mask.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

struct LookupOptions {
  Mask mask{};
  /// Divides the scores; above 0. Towards 0 the lookup becomes hard, towards infinity an average.
  float temperature = 1.0f;
  /// All weight on the highest score, the lowest index on a tie.
  bool is_hard = false;
};

struct Lookup {
  Tensor masked_scores;  ///< what the softmax saw
  Tensor weights;        ///< sum to 1 along the keys, or are all 0 where every key is masked
  Tensor context;        ///< weights times values
};

/// context = softmax(mask(scores) / temperature) values. scores [S] or [.., T, S], values [.., S, Dv].
/// Throws ShapeError naming both shapes when S disagrees, ValueError for the temperature.
/// Bahdanau, Cho, Bengio 2015, eq. 5 and 6.
Lookup lookup(const Tensor& scores, const Tensor& values, const LookupOptions& options = {});

}  // namespace lookback::attention
