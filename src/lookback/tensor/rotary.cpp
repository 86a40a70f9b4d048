// SPDX-License-Identifier: MIT
// Rotation of feature pairs, and back by the opposite angles.
#include "lookback/tensor/rotary.hpp"

#include <algorithm>

#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback {

namespace {

struct Tables {
  const Tensor& cos;
  const Tensor& sin;
  kernels::RotaryPairing pairing;
};

void rotate_rows(const Shape& shape, float* x, const Tables& tables) {
  const std::int64_t width = shape[-1];
  const std::int64_t length = shape[-2];
  const std::int64_t pairs = tables.cos.dim(-1);
  const std::int64_t rows = width ? shape.num_elements() / width : 0;
  const bool has_batch = tables.cos.rank() == 3 && tables.cos.dim(0);
  const std::int64_t rows_per_item = has_batch ? rows / tables.cos.dim(0) : std::max<std::int64_t>(rows, 1);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t table_row = (row / rows_per_item * length + row % length) * pairs;
    kernels::rotate_pairs(x + row * width, tables.cos.data() + table_row, tables.sin.data() + table_row, pairs,
                          tables.pairing);
  }
}

}  // namespace

Tensor rotate_pairs(const Tensor& x, const Tensor& cos, const Tensor& sin, kernels::RotaryPairing pairing) {
  TensorBuilder result(x.shape());
  std::copy_n(x.data(), x.size(), result.data());
  rotate_rows(x.shape(), result.data(), {cos, sin, pairing});
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, y, cos, sin, pairing](Gradients& g) {
      TensorBuilder d_x(x.shape());
      std::copy_n(g.of(y), x.size(), d_x.data());
      rotate_rows(x.shape(), d_x.data(), {cos, scale(sin, -1.0f), pairing});
      kernels::accumulate(g.add_into(x), d_x.data(), 1.0f, x.size());
    });
  }
  return y;
}

}  // namespace lookback
