// SPDX-License-Identifier: MIT
// Batched matrix products with broadcasting of the leading axes.
#include "lookback/tensor/matmul.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
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

/// A vector on the left is one row, on the right one column; neither has anything to transpose.
struct Operands {
  Tensor a;
  Tensor b;
  kernels::MatmulSizes sizes;
  Shape batch;
};

Shape batch_of(const Tensor& a, const Tensor& b) {
  const Shape leading_a = a.shape().without_last(a.rank() == 1 ? 1 : 2);
  const Shape leading_b = b.shape().without_last(b.rank() == 1 ? 1 : 2);
  try {
    return broadcast("matmul", leading_a, leading_b);
  } catch (const ShapeError&) {
    throw ShapeError(message("matmul: leading axes do not broadcast, shapes ", a.shape(), " and ", b.shape()));
  }
}

Operands operands_of(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  const bool transpose_a = options.transpose_a && a.rank() > 1;
  const bool transpose_b = options.transpose_b && b.rank() > 1;
  const Tensor left = a.rank() == 1 ? a.reshape({1, a.dim(0)}) : a;
  const Tensor right = b.rank() == 1 ? b.reshape({b.dim(0), 1}) : b;
  const kernels::MatmulSizes sizes{.rows = left.dim(transpose_a ? -1 : -2),
                                   .cols = right.dim(transpose_b ? -2 : -1),
                                   .inner = left.dim(transpose_a ? -2 : -1),
                                   .transpose_a = transpose_a,
                                   .transpose_b = transpose_b};
  const std::int64_t inner_b = right.dim(transpose_b ? -1 : -2);
  if (sizes.inner != inner_b) {
    throw ShapeError(message("matmul: inner extents ", sizes.inner, " and ", inner_b, " differ, shapes ", a.shape(),
                             " and ", b.shape()));
  }
  return {left, right, sizes, batch_of(a, b)};
}

/// One matrix for every item of the batch, and items of a that lie one after another: a single, taller product.
bool can_stack(const Tensor& left, const Tensor& right, const kernels::MatmulSizes& sizes, const Shape& batch) {
  return !sizes.transpose_a && right.shape().without_last(2).num_elements() == 1 &&
         left.shape().without_last(2).num_elements() == batch.num_elements();
}

void multiply_all(const Tensor& left, const Tensor& right, kernels::MatmulSizes sizes, const Shape& batch,
                  float* output) {
  std::int64_t products = batch.num_elements();
  if (products > 1 && can_stack(left, right, sizes, batch)) {
    sizes.rows *= products;
    products = 1;
  }
  float* room = scratch(kernels::matmul_scratch(sizes));
  for (std::int64_t i = 0; i < products; ++i) {
    kernels::matmul(left.data() + matrix_index(i, batch, left.shape().without_last(2)) * sizes.rows * sizes.inner,
                    right.data() + matrix_index(i, batch, right.shape().without_last(2)) * sizes.inner * sizes.cols,
                    output + i * sizes.rows * sizes.cols, sizes, room);
  }
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  if (a.rank() == 0 || b.rank() == 0) {
    throw ShapeError(message("matmul: needs vectors or matrices, got shapes ", a.shape(), " and ", b.shape()));
  }
  const auto [left, right, sizes, batch] = operands_of(a, b, options);
  std::vector<std::int64_t> dims = batch.dims();
  if (a.rank() > 1) dims.push_back(sizes.rows);
  if (b.rank() > 1) dims.push_back(sizes.cols);
  TensorBuilder result(Shape(std::move(dims)));
  multiply_all(left, right, sizes, batch, result.data());
  return std::move(result).build();
}

}  // namespace lookback
