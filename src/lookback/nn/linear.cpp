// SPDX-License-Identifier: MIT
// The affine map.
#include "lookback/nn/linear.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/matmul.hpp"

namespace lookback::nn {

Tensor Linear::forward(const Tensor& x) const {
  if (weight.rank() != 2 || x.rank() < 1 || x.dim(-1) != weight.dim(0)) {
    throw ShapeError(message("linear: x ", x.shape(), " does not fit weight [in, out] ", weight.shape()));
  }
  if (bias && bias->shape() != Shape{weight.dim(1)}) {
    throw ShapeError(message("linear: bias ", bias->shape(), " does not fit weight [in, out] ", weight.shape()));
  }
  return bias ? affine(x, weight, *bias) : matmul(x, weight);
}

}  // namespace lookback::nn
