// SPDX-License-Identifier: MIT
// Codes and names of the errors.
#include "lookback/core/error.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>

#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("error: each type carries its code and its message", "[core]") {
  CHECK(error_of([]() -> int { throw ShapeError("a"); }) == "shape: a");
  CHECK(error_of([]() -> int { throw ValueError("b"); }) == "value: b");
  CHECK(error_of([]() -> int { throw RangeError("c"); }) == "range: c");
  CHECK(error_of([]() -> int { throw FormatError("d"); }) == "format: d");
  CHECK(error_of([]() -> int { throw UnsupportedError("e"); }) == "unsupported: e");
  CHECK(error_of([]() -> int { throw StateError("f"); }) == "state: f");
  CHECK(error_of([]() -> int { throw Error(ErrorCode::memory, "g"); }) == "memory: g");
}

TEST_CASE("error: is a std::runtime_error for who knows no more", "[core]") {
  CHECK_THROWS_AS([]() -> int { throw ShapeError("a"); }(), std::runtime_error);
}
