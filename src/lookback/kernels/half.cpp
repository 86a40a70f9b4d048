// SPDX-License-Identifier: MIT
// binary16 by its fields: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
#include "lookback/kernels/half.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace lookback::kernels {

namespace {

/// As an f32 with the same fields it is 2^112 too small, which a product mends, subnormals included; infinities and NaN
/// need the largest exponent.
float widened(std::uint32_t half) {
  const float magnitude = std::bit_cast<float>((half & 0x7FFFu) << 13) * 0x1p112f;
  const std::uint32_t beyond = (half & 0x7C00u) == 0x7C00u ? 0x7F800000u : 0u;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | beyond | (half & 0x8000u) << 16);
}

std::uint32_t at(const std::byte* halves, std::int64_t i) {
  std::uint16_t half;
  std::memcpy(&half, halves + 2 * i, sizeof half);
  return half;
}

}  // namespace

float half_to_float(std::uint16_t bits) { return widened(bits); }

void halves_to_floats(const std::byte* halves, float* output, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) output[i] = widened(at(halves, i));
}

void bfloats_to_floats(const std::byte* halves, float* output, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) output[i] = std::bit_cast<float>(at(halves, i) << 16);
}

std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint16_t sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00u);
  // 65520 is the midpoint between the largest half and the next power of two; it rounds to infinity.
  if (magnitude >= 65520.0f) return static_cast<std::uint16_t>(sign | 0x7C00u);
  if (magnitude < 6.103515625e-05f) {
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(magnitude, 24))));
  }
  const std::uint32_t shifted = (bits & 0x7FFFFFFFu) - (112u << 23);
  const std::uint32_t rounding = 0xFFFu + ((shifted >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((shifted + rounding) >> 13));
}

}  // namespace lookback::kernels
