// SPDX-License-Identifier: MIT
// Half precision to and from f32, exact and rounded to nearest even.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::kernels {

/// IEEE 754 binary16, subnormals, infinities and NaN included.
float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float value);

/// output [n] = n little-endian binary16 at any address; and n bfloat16, the high halves of f32.
void halves_to_floats(const std::byte* halves, float* output, std::int64_t n);
void bfloats_to_floats(const std::byte* halves, float* output, std::int64_t n);

}  // namespace lookback::kernels
