// SPDX-License-Identifier: MIT
// Softmax along any axis: the axis is brought last, done row by row, and brought back.
#include "lookback/tensor/softmax.hpp"

#include <cmath>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/softmax.hpp"
#include "lookback/tensor/layout.hpp"

namespace lookback {

namespace {

template <typename RowFunction>
Tensor along(const Tensor& x, int axis, RowFunction row_function) {
  const int normal = x.shape().normalize_axis(axis);
  if (normal != x.rank() - 1) return transpose(along(transpose(x, normal, -1), -1, row_function), normal, -1);
  TensorBuilder result(x.shape());
  const std::int64_t n = x.dim(-1);
  for (std::int64_t start = 0; start < x.size(); start += n) row_function(x.data() + start, result.data() + start, n);
  return std::move(result).build();
}

}  // namespace

Tensor softmax(const Tensor& x, int axis, float temperature) {
  if (!(temperature > 0.0f) || !std::isfinite(temperature)) {
    throw ValueError(message("softmax: the temperature must be above 0 and finite, got ", temperature));
  }
  return along(x, axis, [temperature](const float* row, float* output, std::int64_t n) {
    kernels::softmax_row(row, output, n, temperature);
  });
}

Tensor log_softmax(const Tensor& x, int axis) { return along(x, axis, kernels::log_softmax_row); }

Tensor hard_max(const Tensor& x) {
  return along(x, -1, [](const float* row, float* output, std::int64_t n) {
    const std::int64_t best = kernels::argmax_row(row, n);
    for (std::int64_t i = 0; i < n; ++i) output[i] = 0.0f;
    if (best >= 0 && row[best] != -std::numeric_limits<float>::infinity()) output[best] = 1.0f;
  });
}

}  // namespace lookback
