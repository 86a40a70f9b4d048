// SPDX-License-Identifier: MIT
// Rows times a weight matrix that stays in its file's type and layout.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::kernels {

enum class WeightType {
  f32,
  f16,
  q8_0,  ///< blocks of 32: an f16 scale and 32 int8, 34 bytes
  q4_0,  ///< blocks of 32: an f16 scale and 32 numbers of 4 bits, 18 bytes
};

/// A matrix [rows, cols] of output by input features, as model files store it: row r holds the weights of output r.
/// A vector is one row; block types need cols in whole blocks. The bytes are borrowed, little-endian and may lie at any
/// address.
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

/// In what the activations meet block-quantised weights; others always meet f32.
enum class Activations {
  f32,
  int8,  ///< quantised per block of 32 as well: several times faster, less exact (see quantise_row)
};

/// Floats of scratch that linear needs for T rows of `cols` numbers.
std::int64_t linear_scratch(std::int64_t num_rows, std::int64_t cols);

/// output [T, rows] = x [T, cols] weight^T. Overwrites output, which aliases nothing else. Sums in f32.
void linear(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch,
            Activations activations = Activations::f32);

}  // namespace lookback::kernels
