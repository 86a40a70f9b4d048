// SPDX-License-Identifier: MIT
// Transposes, joins and slices, as copies of runs of elements.
#include "lookback/tensor/layout.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/tape.hpp"

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

namespace {

/// The array as [outer, a, middle, b, inner]; a and b change places.
struct Exchange {
  std::int64_t outer, a, middle, b, inner;

  Exchange back() const { return {outer, b, middle, a, inner}; }

  void copy(const float* source, float* target) const {
    for (std::int64_t o = 0; o < outer; ++o) {
      for (std::int64_t i = 0; i < a; ++i) {
        for (std::int64_t m = 0; m < middle; ++m) {
          for (std::int64_t j = 0; j < b; ++j, source += inner) {
            std::copy_n(source, inner, target + (((o * b + j) * middle + m) * a + i) * inner);
          }
        }
      }
    }
  }
};

void add_exchanged(Gradients& g, const Tensor& x, const Tensor& y, const Exchange& back) {
  const auto [into, is_fresh] = g.into(x);
  if (is_fresh) return back.copy(g.of(y), into);
  TensorBuilder d_x(x.shape());
  back.copy(g.of(y), d_x.data());
  kernels::accumulate(into, d_x.data(), 1.0f, x.size());
}

}  // namespace

Tensor transpose(const Tensor& x, int axis_a, int axis_b) {
  const int first = std::min(x.shape().normalize_axis(axis_a), x.shape().normalize_axis(axis_b));
  const int second = std::max(x.shape().normalize_axis(axis_a), x.shape().normalize_axis(axis_b));
  if (first == second) return x;
  const Exchange exchange{x.shape().product(0, first), x.dim(first), x.shape().product(first + 1, second),
                          x.dim(second), x.shape().product(second + 1, x.rank())};
  TensorBuilder result(x.shape().with(first, x.dim(second)).with(second, x.dim(first)));
  exchange.copy(x.data(), result.data());
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, y, exchange](Gradients& g) { add_exchanged(g, x, y, exchange.back()); });
  }
  return y;
}

namespace {

void record_concat(const std::vector<Tensor>& parts, Tensor& y, int along) {
  Tape* tape = nullptr;
  for (const Tensor& part : parts) tape = tape ? tape : recording(part);
  if (!tape) return;
  tape->outputs(y).record([parts, y, along](Gradients& g) {
    const AxisView whole = around(y.shape(), along);
    const float* source = g.of(y);
    for (const Tensor& part : parts) {
      const std::int64_t run = part.dim(along) * whole.inner;
      if (float* const into = g.add_into(part)) {
        for (std::int64_t o = 0; o < whole.outer; ++o)
          kernels::accumulate(into + o * run, source + o * whole.extent * whole.inner, 1.0f, run);
      }
      source += run;
    }
  });
}

}  // namespace

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
  Tensor y = std::move(result).build();
  record_concat(parts, y, along);
  return y;
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
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, y, view, start, run](Gradients& g) {
      const float* const d_y = g.of(y);
      float* const d_x = g.add_into(x);
      for (std::int64_t o = 0; o < view.outer; ++o) {
        kernels::accumulate(d_x + (o * view.extent + start) * view.inner, d_y + o * run, 1.0f, run);
      }
    });
  }
  return y;
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
