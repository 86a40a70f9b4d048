// SPDX-License-Identifier: MIT
// Blocks of 256 weights as llama.cpp's K types lay them out, widened. Internal to the kernels.
#pragma once

#include <cstddef>

namespace lookback::kernels {

/// Q4_K, 144 bytes: f16 d, f16 m, 12 bytes with eight pairs (scale, least) of 6 bits, 128 bytes of two halves each.
/// Part p of 32 weights is d scale_p number - m least_p; parts 2 i and 2 i + 1 are the low and the high halves of the
/// same 32 bytes.
void dequantise_q4_k(const std::byte* block, float* output);

/// Q6_K, 210 bytes: 128 bytes with the low 4 bits of each number, 64 with its high 2, 16 int8 scales, f16 d. A weight
/// of part p of 16 is d scale_p (number - 32).
void dequantise_q6_k(const std::byte* block, float* output);

}  // namespace lookback::kernels
