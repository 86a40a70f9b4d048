// SPDX-License-Identifier: MIT
// Rotation of feature pairs.
#include "lookback/kernels/rotary.hpp"

#include <cmath>

namespace lookback::kernels {

void rotate_pairs(float* x, const float* cos, const float* sin, std::int64_t pairs, RotaryPairing pairing) {
  const bool interleaved = pairing == RotaryPairing::interleaved;
  for (std::int64_t i = 0; i < pairs; ++i) {
    float& first = x[interleaved ? 2 * i : i];
    float& second = x[interleaved ? 2 * i + 1 : i + pairs];
    const float a = first;
    const float b = second;
    first = a * cos[i] - b * sin[i];
    second = a * sin[i] + b * cos[i];
  }
}

void rotary_angles(std::int64_t position, double base, std::int64_t width, float* cos, float* sin) {
  for (std::int64_t i = 0; i < width / 2; ++i) {
    const double angle =
        static_cast<double>(position) * std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
    cos[i] = static_cast<float>(std::cos(angle));
    sin[i] = static_cast<float>(std::sin(angle));
  }
}

}  // namespace lookback::kernels
