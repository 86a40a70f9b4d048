// SPDX-License-Identifier: MIT
// Rows of block-quantised weights, as GGUF stores them, and activations quantised to match.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/kernels/linear.hpp"

namespace lookback::kernels {

/// Weights of a block; a row holds whole blocks.
inline constexpr std::int64_t kBlockSize = 32;

/// A Q8_0 block: f16 scale, 32 int8; a weight is scale * int8. A Q4_0 block: f16 scale, 16 bytes whose low halves are
/// weights 0 to 15 and whose high halves 16 to 31; a weight is scale * (half - 8).
bool is_block_quantised(WeightType type);

/// output [cols] = the weights of a row as f32, exact.
void dequantise_row(WeightType type, const std::byte* row, std::int64_t cols, float* output);

/// Floats that one quantised row of activations takes.
std::int64_t quantised_row_floats(std::int64_t cols);

/// x [cols] in blocks of 32: scale = max |x| / 127, each number the nearest whole multiple of it, ties to even. A block
/// with NaN or an infinity makes every product with it NaN.
void quantise_row(const float* x, std::int64_t cols, float* room);

/// output [count] = each row's weights times quantised activations: sum over blocks of scale_w scale_x (w . x), where
/// w . x is an exact integer.
void quantised_dots(WeightType type, const std::byte* rows, std::int64_t count, const float* room, std::int64_t cols,
                    float* output);

}  // namespace lookback::kernels
