// SPDX-License-Identifier: MIT
// Products with weights in a file's layout. A few rows of x take inner products with one weight row after another; many
// take the matrix product with a block of rows, widened once.
#include "lookback/kernels/linear.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/kernels/matmul.hpp"
#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/quantised.hpp"

namespace lookback::kernels {

namespace {

/// Weight rows that are widened together.
constexpr std::int64_t kRowBlock = 64;
/// Up to this many rows of x, inner products are faster.
constexpr std::int64_t kFewRows = 3;
/// The same where weights are quantised: a row of x costs twice what it costs in the matrix product, but widening the
/// weights as much as eight rows.
constexpr std::int64_t kFewQuantisedRows = 8;

bool is_float_aligned(const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p) % alignof(float) == 0; }

/// The row where it lies when it is aligned f32, else widened into scratch.
const float* row_as_floats(const WeightView& weight, std::int64_t row, float* scratch) {
  const std::byte* bytes = weight.bytes + row * row_bytes(weight.type, weight.cols);
  if (weight.type == WeightType::f32 && is_float_aligned(bytes)) return reinterpret_cast<const float*>(bytes);
  read_row(weight, row, scratch);
  return scratch;
}

void linear_by_dots(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch) {
  if (weight.type == WeightType::f32 && is_float_aligned(weight.bytes)) {
    for (std::int64_t t = 0; t < num_rows; ++t) {
      dots(x + t * weight.cols, reinterpret_cast<const float*>(weight.bytes), weight.cols, weight.rows, weight.cols,
           output + t * weight.rows);
    }
    return;
  }
  for (std::int64_t r = 0; r < weight.rows; ++r) {
    const float* weights = row_as_floats(weight, r, scratch);
    for (std::int64_t t = 0; t < num_rows; ++t)
      output[t * weight.rows + r] = dot(x + t * weight.cols, weights, weight.cols);
  }
}

void linear_by_blocks(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch) {
  float* widened = scratch;
  float* product = widened + kRowBlock * weight.cols;
  float* room = product + kRowBlock * num_rows;
  for (std::int64_t first = 0; first < weight.rows; first += kRowBlock) {
    const std::int64_t rows = std::min(kRowBlock, weight.rows - first);
    for (std::int64_t r = 0; r < rows; ++r) read_row(weight, first + r, widened + r * weight.cols);
    matmul(x, widened, product, {.rows = num_rows, .cols = rows, .inner = weight.cols, .transpose_b = true}, room);
    for (std::int64_t t = 0; t < num_rows; ++t) {
      std::copy_n(product + t * rows, rows, output + t * weight.rows + first);
    }
  }
}

/// False when it cannot be done in this form; output is then not to be used.
bool linear_by_integers(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch,
                        Form form) {
  if (!meets(weight.type, form)) return false;
  const std::int64_t row_floats = prepared_row_floats(weight.cols, form);
  for (std::int64_t t = 0; t < num_rows; ++t) {
    if (!prepare_row(x + t * weight.cols, weight.cols, form, scratch + t * row_floats)) return false;
  }
  const PreparedRows prepared{scratch, num_rows, weight.cols, form};
  return quantised_dots(weight.type, weight.bytes, weight.rows, prepared, output, weight.rows);
}

}  // namespace

std::int64_t linear_scratch(std::int64_t num_rows, std::int64_t cols) {
  const MatmulSizes block{.rows = num_rows, .cols = kRowBlock, .inner = cols, .transpose_b = true};
  const std::int64_t widened = kRowBlock * (cols + num_rows) + matmul_scratch(block);
  const std::int64_t int8 = num_rows * prepared_row_floats(cols, Form::signed_bytes);
  const std::int64_t split = std::min(num_rows, kFewQuantisedRows) * prepared_row_floats(cols, Form::two_int16);
  return std::max({cols, int8, split, num_rows > kFewRows ? widened : 0});
}

void linear(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch,
            Activations activations) {
  const auto by_integers = [&](Form form) { return linear_by_integers(x, num_rows, weight, output, scratch, form); };
  if (meets(weight.type, Form::int16)) {
    const Form fastest = weight.type == WeightType::q8_0 ? Form::signed_bytes : Form::bytes;
    if (activations == Activations::int8 && (by_integers(fastest) || by_integers(Form::int16))) return;
    if (num_rows <= kFewQuantisedRows && by_integers(Form::two_int16)) return;
  }
  if (num_rows <= kFewRows || weight.cols == 0) return linear_by_dots(x, num_rows, weight, output, scratch);
  linear_by_blocks(x, num_rows, weight, output, scratch);
}

}  // namespace lookback::kernels
