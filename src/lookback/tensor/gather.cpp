// SPDX-License-Identifier: MIT
// Row look-up with checked indices.
#include "lookback/tensor/gather.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback {

Tensor gather_rows(const Tensor& table, const std::vector<std::int64_t>& ids) {
  if (table.rank() != 2) throw ShapeError(message("gather_rows: the table must be [V, D], got ", table.shape()));
  const std::int64_t width = table.dim(1);
  TensorBuilder result(Shape{static_cast<std::int64_t>(ids.size()), width});
  float* output = result.data();
  for (std::int64_t id : ids) {
    if (id < 0 || id >= table.dim(0))
      throw RangeError(message("gather_rows: id ", id, " is outside [0, ", table.dim(0), ")"));
    output = std::copy_n(table.data() + id * width, width, output);
  }
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(table)) {
    tape->outputs(y).record([table, y, ids, width](Gradients& g) {
      const float* d_row = g.of(y);
      float* const d_table = g.add_into(table);
      for (std::int64_t id : ids) {
        kernels::accumulate(d_table + id * width, d_row, 1.0f, width);
        d_row += width;
      }
    });
  }
  return y;
}

}  // namespace lookback
