// SPDX-License-Identifier: MIT
// Rotary position embedding: turning pairs of features by an angle.
#pragma once

#include <cstdint>

namespace lookback::kernels {

enum class RotaryPairing {
  interleaved,  ///< features (2i, 2i + 1): llama2.c, GGUF's llama
  half,         ///< features (i, i + R/2): Hugging Face's layout
};

/// Turns the first 2 * pairs features of x in place: (a, b) -> (a cos_i - b sin_i, a sin_i + b cos_i). cos, sin
/// [pairs]. Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, eq. 34.
void rotate_pairs(float* x, const float* cos, const float* sin, std::int64_t pairs, RotaryPairing pairing);

/// cos and sin of position * base^(-2i / width) for i < width / 2, computed in double: positions in the thousands need
/// it.
void rotary_angles(std::int64_t position, double base, std::int64_t width, float* cos, float* sin);

}  // namespace lookback::kernels
