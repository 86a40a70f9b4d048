// SPDX-License-Identifier: MIT
// Half precision to and from f32, exact and rounded to nearest even.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// IEEE 754 binary16, subnormals, infinities and NaN included.
float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float value);

}  // namespace lookback::kernels
