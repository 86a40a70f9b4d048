// SPDX-License-Identifier: MIT
// Weight matrices in the types and the layout of model files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::kernels {

enum class WeightType {
  f32,
  f16,   ///< IEEE 754 binary16
  bf16,  ///< the high half of an f32
  q8_0,  ///< blocks of 32: an f16 scale and 32 int8, 34 bytes
  q4_0,  ///< blocks of 32: an f16 scale and 32 numbers of 4 bits, 18 bytes
  q4_k,  ///< blocks of 256: 8 parts with scales and least values of 6 bits, numbers of 4 bits, 144 bytes
  q6_k,  ///< blocks of 256: 16 parts with scales of 8 bits, numbers of 6 bits, 210 bytes
};

/// "f32", "q4_k" and so on.
const char* name_of(WeightType type);

/// Weights of a block: a row holds whole blocks. 1 where each number stands for itself.
std::int64_t block_length(WeightType type);

/// A matrix [rows, cols] of output by input features, as model files store it: row r holds the weights of output r.
/// A vector is one row. The bytes are borrowed, little-endian and may lie at any address.
struct WeightView {
  WeightType type = WeightType::f32;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  const std::byte* bytes = nullptr;
};

/// Bytes of `cols` numbers, in whole blocks.
std::int64_t row_bytes(WeightType type, std::int64_t cols);

/// Row `row` as f32 in output [cols], as exact as f32 is.
void read_row(const WeightView& weight, std::int64_t row, float* output);

}  // namespace lookback::kernels
