// SPDX-License-Identifier: MIT
// Soft and hard lookup.
#include "lookback/attention/lookup.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/softmax.hpp"

namespace lookback::attention {

Lookup lookup(const Tensor& scores, const Tensor& values, const LookupOptions& options) {
  if (scores.rank() < 1 || values.rank() < 2 || scores.dim(-1) != values.dim(-2)) {
    throw ShapeError(
        message("lookup: scores [.., S] ", scores.shape(), " and values [S, Dv] ", values.shape(), " disagree on S"));
  }
  Lookup result;
  result.masked_scores = options.mask.apply(scores);
  const Tensor soft = softmax(result.masked_scores, -1, options.temperature);
  result.weights = options.is_hard ? hard_max(result.masked_scores) : soft;
  result.context = matmul(result.weights, values);
  return result;
}

}  // namespace lookback::attention
