// SPDX-License-Identifier: MIT
// A mask of 0 and 1 / (1 - rate), and a product.
#include "lookback/nn/dropout.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/elementwise.hpp"

namespace lookback::nn {

Tensor dropout(const Tensor& x, float rate, Random& random) {
  if (!(rate >= 0.0f && rate < 1.0f)) throw ValueError(message("dropout: the rate must be in [0, 1), got ", rate));
  if (rate == 0.0f) return x;
  TensorBuilder mask(x.shape());
  const float kept = 1.0f / (1.0f - rate);
  for (std::int64_t i = 0; i < x.size(); ++i) mask.data()[i] = random.uniform() < rate ? 0.0f : kept;
  return multiply(x, std::move(mask).build());
}

}  // namespace lookback::nn
