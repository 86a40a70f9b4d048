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

 private:
  std::uint64_t state_;
};

}  // namespace lookback
