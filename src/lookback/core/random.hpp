// SPDX-License-Identifier: MIT
// Seeded random numbers, the same on every build and platform.
#pragma once

#include <cstdint>

namespace lookback {

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016); each draw is
/// the upper 32 bits. The generator's state must not be 0, so seed 0 stands for a fixed odd constant.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint32_t next_u32();
  /// Uniform in [0, 1), 24 bits.
  float uniform();
  /// Mean 0, variance 1 (Box and Muller 1958).
  float normal();
  /// Uniform in [0, n), n from 1 to 2^32 - 1 (Lemire, "Fast random integer generation in an interval", 2019, without
  /// its rejection: a bias below n / 2^32).
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next_u32()) * n) >> 32);
  }
  /// All there is to go on from: Random(state()) draws what this would.
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace lookback
