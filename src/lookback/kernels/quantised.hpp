// SPDX-License-Identifier: MIT
// Rows of block-quantised weights, as GGUF stores them, and activations prepared to meet them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/kernels/weight.hpp"

namespace lookback::kernels {

/// Weights of a block of Q8_0, Q4_0 and of prepared activations.
inline constexpr std::int64_t kBlockSize = 32;
/// Weights of a block of the K types.
inline constexpr std::int64_t kSuperBlockSize = 256;

/// output [cols] = the weights of a row of one of these types as f32.
/// A Q8_0 block: f16 scale, 32 int8; a weight is scale * int8. A Q4_0 block: f16 scale, 16 bytes whose low halves are
/// weights 0 to 15 and whose high halves 16 to 31; a weight is scale * (half - 8). Both exact. K types: k_quants.hpp.
void dequantise_row(WeightType type, const std::byte* row, std::int64_t cols, float* output);

/// How the whole numbers of a prepared row lie.
enum class Form {
  int16,         ///< int8 activations, widened
  two_int16,     ///< f32 activations: high and low parts
  signed_bytes,  ///< int8 activations as magnitudes and signs, to meet Q8_0
  bytes,         ///< int8 activations, to meet Q4_0
};

/// Floats that one prepared row of activations takes.
std::int64_t prepared_row_floats(std::int64_t cols, Form form);

/// x [cols] as whole numbers, in blocks of 32.
/// int8: scale = max |x| / 127, each number the nearest whole multiple of it, ties to even. A block with NaN or an
/// infinity makes every product with it NaN.
/// f32: scale a power of two, each number two int16 of which the second counts 2^-15, so within 2^-29 max |x|. False,
/// and the room is not to be used, when a block is not finite or its largest number is outside [2^-90, 2^100].
bool prepare_row(const float* x, std::int64_t cols, Form form, float* room);

/// Rows that prepare_row made, one after another.
struct PreparedRows {
  const float* room = nullptr;
  std::int64_t count = 0;
  std::int64_t cols = 0;
  Form form = Form::int16;
};

/// Whether there are products of this type with this form: the forms of bytes are for wasm's relaxed build.
bool meets(WeightType type, Form form);

/// output [T, output_stride]: the first `count` columns = prepared rows times each weight row: sum over blocks of
/// scale_w scale_x (w . x), where w . x is an exact integer; the sum of blocks in f32. A weight scale that is not
/// finite makes the result infinite or NaN. The type meets the rows' form. False, and output is not to be used, when a
/// form of bytes fails the test of the engine's instruction.
bool quantised_dots(WeightType type, const std::byte* rows, std::int64_t count, const PreparedRows& x, float* output,
                    std::int64_t output_stride);

}  // namespace lookback::kernels
