// SPDX-License-Identifier: MIT
// Inputs of tests: numbers that differ from each other, so that swapped heads or axes show.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "lookback/core/random.hpp"

namespace lookback::test {

/// `count` numbers in [-1, 1), the same for the same seed on every build.
inline std::vector<float> random_numbers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) number = 2.0f * random.uniform() - 1.0f;
  return numbers;
}

/// first, first + 1, ...
inline std::vector<float> counted(std::int64_t count, float first = 1.0f) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

}  // namespace lookback::test
