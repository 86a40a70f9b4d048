// SPDX-License-Identifier: MIT
// xorshift64* and what is drawn from it.
#include "lookback/core/random.hpp"

#include <cmath>

namespace lookback {

namespace {
constexpr std::uint64_t kStateForSeedZero = 0x9E3779B97F4A7C15ull;
constexpr double kTwoPi = 6.283185307179586;
}  // namespace

Random::Random(std::uint64_t seed) : state_(seed == 0 ? kStateForSeedZero : seed) {}

std::uint32_t Random::next_u32() {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1Dull) >> 32);
}

float Random::uniform() { return static_cast<float>(next_u32() >> 8) / 16777216.0f; }

float Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - static_cast<double>(uniform())));
  return static_cast<float>(radius * std::cos(kTwoPi * static_cast<double>(uniform())));
}

}  // namespace lookback
