// SPDX-License-Identifier: MIT
// Sums and means, and their gradients: the same number for all that was summed.
#include "lookback/tensor/reduce.hpp"

#include <algorithm>

#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback {

namespace {

/// factor * the sum along the middle axis of [outer, extent, inner].
Tensor reduce(const Tensor& x, Shape shape, std::int64_t extent, std::int64_t inner, float factor) {
  TensorBuilder result(std::move(shape));
  const std::int64_t outer = result.shape().num_elements() / std::max<std::int64_t>(inner, 1);
  std::fill_n(result.data(), result.shape().num_elements(), 0.0f);
  for (std::int64_t o = 0; o < outer; ++o) {
    const float* const block = x.data() + o * extent * inner;
    if (inner == 1)
      result.data()[o] = factor * kernels::sum_row(block, extent);
    else
      for (std::int64_t i = 0; i < extent; ++i)
        kernels::accumulate(result.data() + o * inner, block + i * inner, factor, inner);
  }
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, y, outer, extent, inner, factor](Gradients& g) {
      const float* const d_y = g.of(y);
      float* const d_x = g.add_into(x);
      for (std::int64_t row = 0; row < outer * extent; ++row) {
        const float* const d_row = d_y + row / extent * inner;
        kernels::accumulate_product(d_x + row * inner, 1, d_row, nullptr, 0, factor, inner);
      }
    });
  }
  return y;
}

Shape without_axis(const Shape& shape, int axis) {
  std::vector<std::int64_t> dims = shape.dims();
  dims.erase(dims.begin() + shape.normalize_axis(axis));
  return Shape(std::move(dims));
}

Tensor along(const Tensor& x, int axis, float factor) {
  const int normal = x.shape().normalize_axis(axis);
  return reduce(x, without_axis(x.shape(), axis), x.dim(axis), x.shape().product(normal + 1, x.rank()), factor);
}

float inverse(std::int64_t count) { return count ? 1.0f / static_cast<float>(count) : 0.0f; }

}  // namespace

Tensor sum(const Tensor& x) { return reduce(x, Shape{}, x.size(), 1, 1.0f); }
Tensor mean(const Tensor& x) { return reduce(x, Shape{}, x.size(), 1, inverse(x.size())); }
Tensor sum(const Tensor& x, int axis) { return along(x, axis, 1.0f); }
Tensor mean(const Tensor& x, int axis) { return along(x, axis, inverse(x.dim(axis))); }

}  // namespace lookback
