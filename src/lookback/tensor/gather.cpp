// SPDX-License-Identifier: MIT
// Row look-up with checked indices.
#include "lookback/tensor/gather.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

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
  return std::move(result).build();
}

}  // namespace lookback
