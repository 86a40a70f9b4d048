// SPDX-License-Identifier: MIT
// How messages are put together.
#include "lookback/core/check.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "lookback/core/shape.hpp"

using namespace lookback;

TEST_CASE("message: joins texts, characters and numbers", "[core]") {
  CHECK(message("heads ", 3, " do not divide ", std::int64_t{10}) == "heads 3 do not divide 10");
  CHECK(message(std::string("a"), std::string_view("b"), 'c') == "abc");
  CHECK(message() == "");
}

TEST_CASE("message: integers at both ends of their range", "[core]") {
  CHECK(message(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(message(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("message: fractions in six digits, infinities by name", "[core]") {
  CHECK(message(0.5f, ' ', -1e-30, ' ', 1234567.0) == "0.5 -1e-30 1.23457e+06");
  CHECK(message(std::numeric_limits<float>::infinity()) == "inf");
}

TEST_CASE("message: whatever has to_string", "[core]") { CHECK(message("x ", Shape{2, 3}) == "x [2, 3]"); }
