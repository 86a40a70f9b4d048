// SPDX-License-Identifier: MIT
// Half precision: exact widening, rounding to nearest even.
#include "lookback/kernels/half.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

using namespace lookback::kernels;

TEST_CASE("half: widening is exact, subnormals and infinities included", "[kernels]") {
  CHECK(half_to_float(0x0001) == 5.960464477539063e-08f);
  CHECK(half_to_float(0x03FF) == 6.097555160522461e-05f);
  CHECK(half_to_float(0x0400) == 6.103515625e-05f);
  CHECK(half_to_float(0x3C00) == 1.0f);
  CHECK(half_to_float(0xC000) == -2.0f);
  CHECK(half_to_float(0x7BFF) == 65504.0f);
  CHECK(half_to_float(0x7C00) == std::numeric_limits<float>::infinity());
  CHECK(half_to_float(0xFC00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(half_to_float(0x7E00)));
  CHECK(std::signbit(half_to_float(0x8000)));
}

TEST_CASE("half: every bit pattern survives the way to f32 and back", "[kernels]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const float wide = half_to_float(static_cast<std::uint16_t>(bits));
    const std::uint16_t back = float_to_half(wide);
    wrong += std::isnan(wide) ? !std::isnan(half_to_float(back)) : back != bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("half: narrowing rounds to the nearest, ties to even", "[kernels]") {
  // Neighbours of 1 are 2^-10 apart.
  CHECK(float_to_half(1.0f + 0x1p-11f) == 0x3C00);
  CHECK(float_to_half(1.0f + 3 * 0x1p-11f) == 0x3C02);
  CHECK(float_to_half(1.0f + 0x1.002p-11f) == 0x3C01);
  CHECK(float_to_half(-1.0f - 0x1.002p-11f) == 0xBC01);
  CHECK(float_to_half(2047.5f) == 0x6800);
}

TEST_CASE("half: narrowing at the ends of the range", "[kernels]") {
  CHECK(float_to_half(65519.996f) == 0x7BFF);
  CHECK(float_to_half(65520.0f) == 0x7C00);
  CHECK(float_to_half(-1e30f) == 0xFC00);
  CHECK(float_to_half(0x1p-25f) == 0x0000);
  CHECK(float_to_half(0x1.8p-25f) == 0x0001);
  CHECK(float_to_half(3 * 0x1p-25f) == 0x0002);
  CHECK(float_to_half(6.1035152e-05f) == 0x0400);
  CHECK(float_to_half(-0.0f) == 0x8000);
}
