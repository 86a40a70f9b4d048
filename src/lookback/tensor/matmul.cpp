// SPDX-License-Identifier: MIT
// Batched matrix products with broadcasting of the leading axes.
#include "lookback/tensor/matmul.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/kernels/matmul.hpp"
#include "lookback/tensor/tape.hpp"

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
                  const float* bias, float* output) {
  std::int64_t products = batch.num_elements();
  if (products > 1 && can_stack(left, right, sizes, batch)) {
    sizes.rows *= products;
    products = 1;
  }
  float* room = scratch(kernels::matmul_scratch(sizes));
  for (std::int64_t i = 0; i < products; ++i) {
    kernels::matmul(left.data() + matrix_index(i, batch, left.shape().without_last(2)) * sizes.rows * sizes.inner,
                    right.data() + matrix_index(i, batch, right.shape().without_last(2)) * sizes.inner * sizes.cols,
                    output + i * sizes.rows * sizes.cols, sizes, room, {.bias = bias});
  }
}

/// Product number i of the pass back: adds, or overwrites what nobody has written yet.
void multiply_into(const float* a, const float* b, float* output, const kernels::MatmulSizes& sizes, bool accumulate) {
  kernels::matmul(a, b, output, sizes, scratch(kernels::matmul_scratch(sizes)), {.accumulate = accumulate});
}

/// y = a b, each perhaps stored transposed: d_a = d_y b^T, d_b = a^T d_y, stored as the operand is.
void add_gradients(Gradients& g, const Operands& of, const Tensor& y) {
  kernels::MatmulSizes s = of.sizes;
  std::int64_t products = of.batch.num_elements();
  if (products > 1 && can_stack(of.a, of.b, s, of.batch)) {
    s.rows *= products;
    products = 1;
  }
  const kernels::MatmulSizes for_a = s.transpose_a
                                         ? kernels::MatmulSizes{s.inner, s.rows, s.cols, s.transpose_b, true}
                                         : kernels::MatmulSizes{s.rows, s.inner, s.cols, false, !s.transpose_b};
  const kernels::MatmulSizes for_b = s.transpose_b
                                         ? kernels::MatmulSizes{s.cols, s.inner, s.rows, true, s.transpose_a}
                                         : kernels::MatmulSizes{s.inner, s.cols, s.rows, !s.transpose_a, false};
  const Shape leading_a = of.a.shape().without_last(2);
  const Shape leading_b = of.b.shape().without_last(2);
  // Where an operand broadcasts, several products meet in one matrix: zeros first, then all add.
  const bool adds_a = products > 1 && leading_a.num_elements() != products;
  const bool adds_b = products > 1 && leading_b.num_elements() != products;
  const float* const d_y = g.of(y);
  const auto a_sink = adds_a ? Gradients::Sink{g.add_into(of.a), false} : g.into(of.a);
  for (std::int64_t i = 0; a_sink.data && i < products; ++i) {
    const float* const d_i = d_y + i * s.rows * s.cols;
    const float* const b = of.b.data() + matrix_index(i, of.batch, leading_b) * s.inner * s.cols;
    multiply_into(s.transpose_a ? b : d_i, s.transpose_a ? d_i : b,
                  a_sink.data + matrix_index(i, of.batch, leading_a) * s.rows * s.inner, for_a, !a_sink.is_fresh);
  }
  const auto b_sink = adds_b ? Gradients::Sink{g.add_into(of.b), false} : g.into(of.b);
  for (std::int64_t i = 0; b_sink.data && i < products; ++i) {
    const float* const d_i = d_y + i * s.rows * s.cols;
    const float* const a = of.a.data() + matrix_index(i, of.batch, leading_a) * s.rows * s.inner;
    multiply_into(s.transpose_b ? d_i : a, s.transpose_b ? a : d_i,
                  b_sink.data + matrix_index(i, of.batch, leading_b) * s.inner * s.cols, for_b, !b_sink.is_fresh);
  }
}

Tensor product(const Tensor& a, const Tensor& b, const MatmulOptions& options, const Tensor* bias) {
  const Operands of = operands_of(a, b, options);
  std::vector<std::int64_t> dims = of.batch.dims();
  if (a.rank() > 1) dims.push_back(of.sizes.rows);
  if (b.rank() > 1) dims.push_back(of.sizes.cols);
  TensorBuilder result(Shape(std::move(dims)));
  multiply_all(of.a, of.b, of.sizes, of.batch, bias ? bias->data() : nullptr, result.data());
  Tensor y = std::move(result).build();
  const Tensor addend = bias ? *bias : Tensor();
  if (Tape* tape = recording(a, b, addend)) {
    tape->outputs(y).record([of, y, addend](Gradients& g) {
      if (float* const d_bias = g.add_into(addend)) {
        kernels::accumulate_rows(d_bias, g.of(y), addend.size() ? y.size() / addend.size() : 0, addend.size());
      }
      add_gradients(g, of, y);
    });
  }
  return y;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  if (a.rank() == 0 || b.rank() == 0) {
    throw ShapeError(message("matmul: needs vectors or matrices, got shapes ", a.shape(), " and ", b.shape()));
  }
  return product(a, b, options, nullptr);
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (x.rank() == 0 || weight.rank() != 2 || bias.shape() != Shape{weight.dim(1)}) {
    throw ShapeError(message("affine: needs x [.., in], weight [in, out] and bias [out], got ", x.shape(), ", ",
                             weight.shape(), " and ", bias.shape()));
  }
  return product(x, weight, {}, &bias);
}

}  // namespace lookback
