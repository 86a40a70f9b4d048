// SPDX-License-Identifier: MIT
// The counting buffer.
#include "lookback/core/memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
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

TEST_CASE("buffer: every size is aligned and its own", "[core]") {
  for (std::int64_t size = 0; size < 300; ++size) {
    Buffer buffer(size, Fill::none);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    for (std::int64_t i = 0; i < size; ++i) buffer.data()[i] = 1.0f;
  }
}

TEST_CASE("keeping freed buffers: the next of the size takes the block, zeros when asked", "[core]") {
  const auto before = live_bytes();
  const KeepFreedBuffers keep;
  const float* address = nullptr;
  {
    Buffer first(1000);
    first.data()[7] = 5.0f;
    address = first.data();
  }
  CHECK(live_bytes() == before);
  const Buffer second(1000);
  CHECK(second.data() == address);
  CHECK(second.data()[7] == 0.0f);
  const Buffer third(1000, Fill::none);
  CHECK(third.data() != address);
  CHECK(live_bytes() == before + 8000);
}

TEST_CASE("keeping freed buffers: no more than was allowed, and none after the last keeper", "[core]") {
  const float* address = nullptr;
  {
    const KeepFreedBuffers keep(100);
    address = Buffer(10).data();
    CHECK(Buffer(10, Fill::none).data() == address);
    {
      const KeepFreedBuffers inner(50);
      Buffer large(1000);
    }
    CHECK(Buffer(10, Fill::none).data() == address);
  }
  CHECK(Buffer(10).data()[0] == 0.0f);
}
