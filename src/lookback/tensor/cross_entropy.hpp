// SPDX-License-Identifier: MIT
// The loss of a classifier.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// The target of a row that does not count: padding.
inline constexpr std::int64_t kIgnoredTarget = -1;

/// sum over the rows that count of -log softmax(logits_i)_target_i, over `divisor`: the number of those rows unless it
/// is given, which is how parts of one batch add up to its mean. In nats. logits [.., V] of N rows, targets [N].
/// The gradient of an ignored row is 0; with none that counts the loss is 0.
/// Throws ShapeError when the numbers of rows differ, RangeError naming a target outside [0, V), ValueError for a
/// divisor that is not above 0.
Tensor cross_entropy(const Tensor& logits, const std::vector<std::int64_t>& targets,
                     std::optional<float> divisor = std::nullopt);

}  // namespace lookback
