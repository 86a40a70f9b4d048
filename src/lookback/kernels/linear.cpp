// SPDX-License-Identifier: MIT
// Products with weights in a file's layout: each weight row is widened once and used for all rows of x.
#include "lookback/kernels/linear.hpp"

#include <cstring>

#include "lookback/core/check.hpp"
#include "lookback/kernels/half.hpp"
#include "lookback/kernels/matmul.hpp"

namespace lookback::kernels {

namespace {

bool is_float_aligned(const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p) % alignof(float) == 0; }

/// The row where it lies when it is aligned f32, else widened into scratch.
const float* row_as_floats(const WeightView& weight, std::int64_t row, float* scratch) {
  const std::byte* bytes = weight.bytes + row * row_bytes(weight.type, weight.cols);
  if (weight.type == WeightType::f32 && is_float_aligned(bytes)) return reinterpret_cast<const float*>(bytes);
  read_row(weight, row, scratch);
  return scratch;
}

}  // namespace

std::int64_t row_bytes(WeightType type, std::int64_t cols) { return cols * (type == WeightType::f32 ? 4 : 2); }

void read_row(const WeightView& weight, std::int64_t row, float* output) {
  LOOKBACK_ASSERT(row >= 0 && row < weight.rows);
  if (weight.cols == 0) return;  // memcpy takes no null, not even for nothing
  const std::byte* bytes = weight.bytes + row * row_bytes(weight.type, weight.cols);
  if (weight.type == WeightType::f32) {
    std::memcpy(output, bytes, static_cast<std::size_t>(weight.cols) * sizeof(float));
    return;
  }
  for (std::int64_t i = 0; i < weight.cols; ++i) {
    std::uint16_t half;
    std::memcpy(&half, bytes + 2 * i, sizeof half);
    output[i] = half_to_float(half);
  }
}

void linear(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch) {
  for (std::int64_t r = 0; r < weight.rows; ++r) {
    const float* weights = row_as_floats(weight, r, scratch);
    for (std::int64_t t = 0; t < num_rows; ++t)
      output[t * weight.rows + r] = dot(x + t * weight.cols, weights, weight.cols);
  }
}

}  // namespace lookback::kernels
