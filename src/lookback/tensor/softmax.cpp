// SPDX-License-Identifier: MIT
// Softmax along any axis: the axis is brought last, done row by row, and brought back.
#include "lookback/tensor/softmax.hpp"

#include <cmath>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/activation_backward.hpp"
#include "lookback/kernels/softmax.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback {

namespace {

/// row_function(row, output, n) along an axis; backward(y, d_y, d_x, n) adds.
template <typename RowFunction, typename Backward>
Tensor along(const Tensor& x, int axis, RowFunction row_function, Backward backward) {
  const int normal = x.shape().normalize_axis(axis);
  if (normal != x.rank() - 1) {
    return transpose(along(transpose(x, normal, -1), -1, row_function, backward), normal, -1);
  }
  TensorBuilder result(x.shape());
  const std::int64_t n = x.dim(-1);
  for (std::int64_t start = 0; start < x.size(); start += n) row_function(x.data() + start, result.data() + start, n);
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, y, backward, n](Gradients& g) {
      const float* const d_y = g.of(y);
      float* const d_x = g.add_into(x);
      for (std::int64_t start = 0; start < x.size(); start += n)
        backward(y.data() + start, d_y + start, d_x + start, n);
    });
  }
  return y;
}

}  // namespace

Tensor softmax(const Tensor& x, int axis, float temperature) {
  if (!(temperature > 0.0f) || !std::isfinite(temperature)) {
    throw ValueError(message("softmax: the temperature must be above 0 and finite, got ", temperature));
  }
  const auto row = [temperature](const float* in, float* output, std::int64_t n) {
    kernels::softmax_row(in, output, n, temperature);
  };
  const auto backward = [temperature](const float* y, const float* d_y, float* d_x, std::int64_t n) {
    kernels::softmax_backward_row(y, d_y, temperature, d_x, n);
  };
  return along(x, axis, row, backward);
}

Tensor log_softmax(const Tensor& x, int axis) {
  return along(x, axis, kernels::log_softmax_row, kernels::log_softmax_backward_row);
}

Tensor hard_max(const Tensor& x) {
  const auto row = [](const float* in, float* output, std::int64_t n) {
    const std::int64_t best = kernels::argmax_row(in, n);
    for (std::int64_t i = 0; i < n; ++i) output[i] = 0.0f;
    if (best >= 0 && in[best] != -std::numeric_limits<float>::infinity()) output[best] = 1.0f;
  };
  const PauseRecording constant;
  return along(x, -1, row, [](const float*, const float*, float*, std::int64_t) {});
}

}  // namespace lookback
