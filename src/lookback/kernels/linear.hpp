// SPDX-License-Identifier: MIT
// Rows times a weight matrix that stays in its file's type and layout.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::kernels {

enum class WeightType {
  f32,
  f16,
};

/// A matrix [rows, cols] of output by input features, as model files store it: row r holds the weights of output r.
/// A vector is one row. The bytes are borrowed, little-endian and may lie at any address.
struct WeightView {
  WeightType type = WeightType::f32;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  const std::byte* bytes = nullptr;
};

/// Bytes of one row.
std::int64_t row_bytes(WeightType type, std::int64_t cols);

/// Row `row` as f32 in output [cols].
void read_row(const WeightView& weight, std::int64_t row, float* output);

/// output [T, rows] = x [T, cols] weight^T; scratch [cols]. Overwrites output. Sums in f32.
void linear(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch);

}  // namespace lookback::kernels
