// SPDX-License-Identifier: MIT
// Batched matrix products with broadcasting of the leading axes.
#include "lookback/tensor/matmul.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/matmul.hpp"

namespace lookback {

namespace {

/// Index of the matrix in `shape`'s leading axes that pairs with matrix `index` of the broadcast `batch`.
std::int64_t matrix_index(std::int64_t index, const Shape& batch, const Shape& leading) {
  std::int64_t result = 0;
  std::int64_t step = 1;
  for (int i = 1; i <= batch.rank(); ++i) {
    const std::int64_t coordinate = index % batch[-i];
    index /= batch[-i];
    if (i > leading.rank()) continue;
    if (leading[-i] != 1) result += coordinate * step;
    step *= leading[-i];
  }
  return result;
}

kernels::MatmulSizes sizes_of(const Tensor& a, const Tensor& b, const MatmulOptions& o) {
  const std::int64_t inner_b = o.transpose_b ? b.dim(-1) : b.dim(-2);
  const kernels::MatmulSizes sizes{.rows = o.transpose_a ? a.dim(-1) : a.dim(-2),
                                   .cols = o.transpose_b ? b.dim(-2) : b.dim(-1),
                                   .inner = o.transpose_a ? a.dim(-2) : a.dim(-1),
                                   .transpose_a = o.transpose_a,
                                   .transpose_b = o.transpose_b};
  if (sizes.inner != inner_b) {
    throw ShapeError(message("matmul: inner extents ", sizes.inner, " and ", inner_b, " differ, shapes ", a.shape(),
                             " and ", b.shape()));
  }
  return sizes;
}

Tensor matmul_of_matrices(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  const kernels::MatmulSizes sizes = sizes_of(a, b, options);
  const Shape leading_a = a.shape().without_last(2);
  const Shape leading_b = b.shape().without_last(2);
  const Shape batch = broadcast("matmul", leading_a, leading_b);
  TensorBuilder result(batch.appended({sizes.rows, sizes.cols}));
  for (std::int64_t i = 0; i < batch.num_elements(); ++i) {
    kernels::matmul(a.data() + matrix_index(i, batch, leading_a) * sizes.rows * sizes.inner,
                    b.data() + matrix_index(i, batch, leading_b) * sizes.inner * sizes.cols,
                    result.data() + i * sizes.rows * sizes.cols, sizes);
  }
  return std::move(result).build();
}

Shape without_axis(const Shape& shape, int axis) {
  std::vector<std::int64_t> dims = shape.dims();
  dims.erase(dims.begin() + shape.normalize_axis(axis));
  return Shape(std::move(dims));
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  if (a.rank() == 0 || b.rank() == 0) {
    throw ShapeError(message("matmul: needs vectors or matrices, got shapes ", a.shape(), " and ", b.shape()));
  }
  if (a.rank() == 1) {
    const Tensor row = a.reshape({1, a.dim(0)});
    const Tensor result = matmul(row, b, {.transpose_a = false, .transpose_b = options.transpose_b});
    return b.rank() == 1 ? result : result.reshape(without_axis(result.shape(), -2));
  }
  if (b.rank() == 1) {
    const Tensor column = b.reshape({b.dim(0), 1});
    const Tensor result = matmul_of_matrices(a, column, {.transpose_a = options.transpose_a, .transpose_b = false});
    return result.reshape(without_axis(result.shape(), -1));
  }
  return matmul_of_matrices(a, b, options);
}

}  // namespace lookback
