// SPDX-License-Identifier: MIT
// Half precision: exact widening, rounding to nearest even.
#include "lookback/kernels/half.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

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

TEST_CASE("half: rows at any address are widened as their fields say", "[kernels]") {
  constexpr std::size_t kCount = 0x10000;
  std::vector<std::byte> bytes(2 * kCount + 1);
  for (std::size_t i = 0; i < kCount; ++i) {
    bytes[1 + 2 * i] = static_cast<std::byte>(i & 255);
    bytes[2 + 2 * i] = static_cast<std::byte>(i >> 8);
  }
  std::vector<float> wide(kCount);
  halves_to_floats(bytes.data() + 1, wide.data(), kCount);
  int wrong = 0;
  for (int i = 0; i < static_cast<int>(kCount); ++i) {
    const int exponent = i >> 10 & 31, fraction = i & 1023;
    const float sign = i >> 15 ? -1.0f : 1.0f;
    const float value = wide[static_cast<std::size_t>(i)];
    if (exponent == 31) {
      wrong += fraction ? !std::isnan(value) : value != sign * std::numeric_limits<float>::infinity();
    } else {
      const auto whole = static_cast<float>(exponent ? 1024 + fraction : fraction);
      wrong += value != sign * std::ldexp(whole, (exponent ? exponent : 1) - 25) || std::signbit(value) != (sign < 0);
    }
  }
  CHECK(wrong == 0);
  bfloats_to_floats(bytes.data() + 1, wide.data(), kCount);
  wrong = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) wrong += std::bit_cast<std::uint32_t>(wide[i]) != i << 16;
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
