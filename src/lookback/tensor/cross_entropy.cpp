// SPDX-License-Identifier: MIT
// Softmax and cross entropy in one: backward needs the probabilities alone.
#include "lookback/tensor/cross_entropy.hpp"

#include <algorithm>
#include <memory>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/cross_entropy.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback {

namespace {

std::int64_t check_targets(const Tensor& logits, const std::vector<std::int64_t>& targets) {
  const auto rows = static_cast<std::int64_t>(targets.size());
  if (logits.rank() == 0 || logits.shape().without_last(1).num_elements() != rows) {
    throw ShapeError(message("cross_entropy: ", rows, " targets for logits ", logits.shape()));
  }
  const std::int64_t classes = logits.dim(-1);
  for (std::int64_t target : targets) {
    if (target == kIgnoredTarget || (target >= 0 && target < classes)) continue;
    throw RangeError(message("cross_entropy: target ", target, " is outside [0, ", classes, ")"));
  }
  return rows - std::count(targets.begin(), targets.end(), kIgnoredTarget);
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const std::vector<std::int64_t>& targets, std::optional<float> divisor) {
  const std::int64_t counted = check_targets(logits, targets);
  if (divisor && !(*divisor > 0.0f)) {
    throw ValueError(message("cross_entropy: the divisor must be above 0, got ", *divisor));
  }
  const std::int64_t classes = logits.dim(-1);
  const float factor = 1.0f / divisor.value_or(static_cast<float>(std::max<std::int64_t>(counted, 1)));
  const auto probabilities = std::make_shared<Buffer>(logits.size(), Fill::none);
  double sum = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::int64_t row = static_cast<std::int64_t>(i) * classes;
    if (targets[i] == kIgnoredTarget) continue;
    sum += kernels::cross_entropy_row(logits.data() + row, targets[i], probabilities->data() + row, classes);
  }
  Tensor loss = Tensor::scalar(static_cast<float>(sum * static_cast<double>(factor)));
  if (Tape* tape = recording(logits)) {
    tape->outputs(loss).record([logits, loss, targets, probabilities, factor, classes](Gradients& g) {
      const float d_sum = factor * *g.of(loss);
      float* const d_logits = g.add_into(logits);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::int64_t row = static_cast<std::int64_t>(i) * classes;
        if (targets[i] == kIgnoredTarget) continue;
        kernels::cross_entropy_backward_row(probabilities->data() + row, targets[i], d_sum, d_logits + row, classes);
      }
    });
  }
  return loss;
}

}  // namespace lookback
