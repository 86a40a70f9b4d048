// SPDX-License-Identifier: MIT
// The generator's stream and the distributions drawn from it.
#include "lookback/core/random.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/allclose.hpp"

using namespace lookback;
using namespace lookback::test;

namespace {
std::vector<std::uint32_t> draws(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<std::uint32_t> result;
  for (int i = 0; i < count; ++i) result.push_back(random.next_u32());
  return result;
}
}  // namespace

// Numbers of an implementation in Python's unbounded integers, equal to llama2.c's generator.
TEST_CASE("random: xorshift64* of seed 42 and of a seed beyond 2^53", "[core]") {
  CHECK(draws(42, 4) == std::vector<std::uint32_t>{1456360119u, 3359763283u, 3393612768u, 4054632243u});
  CHECK(draws(1234567890123456789ull, 2) == std::vector<std::uint32_t>{1627655477u, 2595649253u});
  CHECK(draws(1234567890123456768ull, 2) != draws(1234567890123456789ull, 2));
}

TEST_CASE("random: seed 0 is not stuck at 0", "[core]") {
  const std::vector<std::uint32_t> numbers = draws(0, 4);
  CHECK(numbers[0] != 0u);
  CHECK(numbers[0] != numbers[1]);
  CHECK(numbers == draws(0, 4));
}

TEST_CASE("random: uniform numbers are the upper 24 bits of a draw", "[core]") {
  Random random(42);
  std::vector<float> numbers;
  for (int i = 0; i < 4; ++i) numbers.push_back(random.uniform());
  CHECK_THAT(numbers, close_to({0.33908522, 0.78225583, 0.79013699, 0.94404262}, {1e-7, 0.0}));
}

TEST_CASE("random: uniform numbers fill the interval from 0 to 1 evenly", "[core]") {
  Random random(7);
  std::vector<int> tenths(10);
  for (int i = 0; i < 100000; ++i) {
    const float number = random.uniform();
    REQUIRE((number >= 0.0f && number < 1.0f));
    ++tenths[static_cast<std::size_t>(number * 10.0f)];
  }
  // Each count has a standard deviation of 95; five of them.
  for (int count : tenths) CHECK(std::abs(count - 10000) < 475);
}

TEST_CASE("random: normal numbers have mean 0, variance 1 and the normal's tails", "[core]") {
  Random random(3);
  double sum = 0.0;
  double squares = 0.0;
  int beyond_two = 0;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double number = static_cast<double>(random.normal());
    REQUIRE(std::isfinite(number));
    sum += number;
    squares += number * number;
    if (std::abs(number) > 2.0) ++beyond_two;
  }
  // Five standard deviations of each estimate.
  CHECK(std::abs(sum / kCount) < 5.0 / std::sqrt(kCount));
  CHECK(std::abs(squares / kCount - 1.0) < 5.0 * std::sqrt(2.0 / kCount));
  CHECK(std::abs(beyond_two / static_cast<double>(kCount) - 0.0455) < 5.0 * std::sqrt(0.0455 / kCount));
}
