// SPDX-License-Identifier: MIT
// binary16 by its fields: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits.
#include "lookback/kernels/half.hpp"

#include <bit>
#include <cmath>

namespace lookback::kernels {

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  const std::uint32_t wide_exponent = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
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
