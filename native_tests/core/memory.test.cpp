// SPDX-License-Identifier: MIT
// The counting buffer.
#include "lookback/core/memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("buffer: starts with zeros", "[core]") {
  const Buffer buffer(3);
  CHECK(std::vector<float>(buffer.data(), buffer.data() + buffer.size()) == std::vector<float>{0, 0, 0});
}

TEST_CASE("buffer: keeps the numbers it was given", "[core]") {
  const Buffer buffer(std::vector<float>{1, 2});
  CHECK(buffer.size() == 2);
  CHECK(buffer.data()[1] == 2.0f);
}

TEST_CASE("buffer: its bytes count while it lives", "[core]") {
  const auto before = live_bytes();
  {
    const Buffer zeros(10);
    CHECK(live_bytes() == before + 40);
    const Buffer given(std::vector<float>(5));
    CHECK(live_bytes() == before + 60);
  }
  CHECK(live_bytes() == before);
}

TEST_CASE("buffer: more than the machine has is an error with the size, and counts nothing", "[core]") {
  // The lower 32 bits of this size are 0.
  const auto before = live_bytes();
  CHECK(error_of([] {
          Buffer impossible(std::int64_t{1} << 61);
          return impossible.size();
        }) == "memory: memory: 2305843009213693952 numbers (8796093022208 MB) could not be had");
  CHECK(live_bytes() == before);
}
