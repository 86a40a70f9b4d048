// SPDX-License-Identifier: MIT
// Transposes, joins and slices, as copies of runs of elements.
#include "lookback/tensor/layout.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback {

namespace {

/// The array as [outer, axis, inner], which is all that one axis needs to know.
struct AxisView {
  std::int64_t outer;
  std::int64_t extent;
  std::int64_t inner;
};

AxisView around(const Shape& shape, int axis) {
  return {shape.product(0, axis), shape[axis], shape.product(axis + 1, shape.rank())};
}

}  // namespace

Tensor transpose(const Tensor& x, int axis_a, int axis_b) {
  const int first = std::min(x.shape().normalize_axis(axis_a), x.shape().normalize_axis(axis_b));
  const int second = std::max(x.shape().normalize_axis(axis_a), x.shape().normalize_axis(axis_b));
  if (first == second) return x;
  const std::int64_t outer = x.shape().product(0, first);
  const std::int64_t a = x.dim(first);
  const std::int64_t middle = x.shape().product(first + 1, second);
  const std::int64_t b = x.dim(second);
  const std::int64_t inner = x.shape().product(second + 1, x.rank());
  TensorBuilder result(x.shape().with(first, b).with(second, a));
  const float* source = x.data();
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < a; ++i) {
      for (std::int64_t m = 0; m < middle; ++m) {
        for (std::int64_t j = 0; j < b; ++j, source += inner) {
          std::copy_n(source, inner, result.data() + (((o * b + j) * middle + m) * a + i) * inner);
        }
      }
    }
  }
  return std::move(result).build();
}

Tensor concat(const std::vector<Tensor>& parts, int axis) {
  if (parts.empty()) throw ShapeError("concat: there is nothing to join");
  const Shape& first = parts.front().shape();
  const int along = first.normalize_axis(axis);
  std::int64_t total = 0;
  for (const Tensor& part : parts) {
    if (part.rank() != first.rank() || part.shape().with(along, 0) != first.with(along, 0)) {
      throw ShapeError(message("concat: shapes ", first, " and ", part.shape(), " differ beyond axis ", along));
    }
    total += part.dim(along);
  }
  TensorBuilder result(first.with(along, total));
  const AxisView whole = around(result.shape(), along);
  std::int64_t start = 0;
  for (const Tensor& part : parts) {
    const std::int64_t run = part.dim(along) * whole.inner;
    for (std::int64_t o = 0; o < whole.outer; ++o) {
      std::copy_n(part.data() + o * run, run, result.data() + (o * total + start) * whole.inner);
    }
    start += part.dim(along);
  }
  return std::move(result).build();
}

Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop) {
  const int along = x.shape().normalize_axis(axis);
  const AxisView view = around(x.shape(), along);
  if (start < 0 || stop < start || stop > view.extent) {
    throw RangeError(message("slice: [", start, ", ", stop, ") of axis ", along, " in shape ", x.shape()));
  }
  TensorBuilder result(x.shape().with(along, stop - start));
  const std::int64_t run = (stop - start) * view.inner;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    std::copy_n(x.data() + (o * view.extent + start) * view.inner, run, result.data() + o * run);
  }
  return std::move(result).build();
}

Tensor split_heads(const Tensor& x, std::int64_t heads) {
  if (x.rank() < 2) throw ShapeError(message("split_heads: needs [.., T, width], got ", x.shape()));
  if (heads < 1 || x.dim(-1) % heads != 0) {
    throw ShapeError(
        message("split_heads: width ", x.dim(-1), " is not divisible by ", heads, " heads, shape ", x.shape()));
  }
  const Shape split = x.shape().without_last(1).appended({heads, x.dim(-1) / heads});
  return transpose(x.reshape(split), -3, -2);
}

Tensor merge_heads(const Tensor& x) {
  if (x.rank() < 3) throw ShapeError(message("merge_heads: needs [.., heads, T, K], got ", x.shape()));
  const Tensor rows = transpose(x, -3, -2);
  return rows.reshape(rows.shape().without_last(2).appended({rows.dim(-2) * rows.dim(-1)}));
}

}  // namespace lookback
