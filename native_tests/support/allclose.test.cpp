// SPDX-License-Identifier: MIT
// The comparison helper catches what it is there to catch.
#include "support/allclose.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

using namespace lookback::test;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("is_close: absolute or relative, whichever is wider", "[support]") {
  CHECK(is_close(1.0, 1.0, kExact));
  CHECK_FALSE(is_close(1.0, 1.0 + 1e-15, kExact));
  CHECK(is_close(0.1, 0.0, {0.1, 0.0}));
  CHECK_FALSE(is_close(0.11, 0.0, {0.1, 1.0}));
  CHECK(is_close(1009.0, 1000.0, {0.1, 0.01}));
  CHECK_FALSE(is_close(1011.0, 1000.0, {0.1, 0.01}));
  CHECK(is_close(-1009.0, -1000.0, {0.0, 0.01}));
}

TEST_CASE("is_close: NaN is close to nothing", "[support]") {
  CHECK_FALSE(is_close(kNan, 1.0, {kInfinity, kInfinity}));
  CHECK_FALSE(is_close(1.0, kNan, {kInfinity, kInfinity}));
  CHECK_FALSE(is_close(kNan, kNan, {kInfinity, kInfinity}));
  CHECK_FALSE(is_close(kNan, kInfinity, kFloat32));
}

TEST_CASE("is_close: infinities are close to themselves only", "[support]") {
  CHECK(is_close(kInfinity, kInfinity, kExact));
  CHECK(is_close(-kInfinity, -kInfinity, kFloat32));
  CHECK_FALSE(is_close(kInfinity, -kInfinity, kFloat32));
  CHECK_FALSE(is_close(1e30, kInfinity, kFloat32));
  CHECK_FALSE(is_close(kInfinity, 1e30, kFloat32));
}

TEST_CASE("mismatch: names the first element that differs, or the counts", "[support]") {
  CHECK(mismatch({1.0, 2.0}, {1.0, 2.0}, kExact).empty());
  CHECK(mismatch({}, {}, kExact).empty());
  CHECK(mismatch({1.0, 2.5, 9.0}, {1.0, 2.0, 3.0}, {0.25, 0.0}) ==
        "element 1 is 2.5, expected 2 (absolute 0.25, relative 0 allowed)");
  CHECK(mismatch({1.0}, {1.0, 2.0}, kExact) == "1 numbers, expected 2");
  CHECK(mismatch({0.5, kNan}, {0.5, 0.5}, kFloat32).find("element 1 is ") == 0);
}

TEST_CASE("close_to: matches ranges of any numbers and describes what is wrong", "[support]") {
  const std::vector<float> numbers{1.0f, 2.0f};
  CHECK_THAT(numbers, close_to({1.0, 2.0}));
  CHECK_THAT(numbers, close_to(numbers, kExact));
  CHECK_THAT(numbers, !close_to({1.0, 2.1}));
  CHECK_THAT(numbers, !close_to({1.0}));
  const CloseTo matcher = close_to({1.0, 4.0});
  CHECK_FALSE(matcher.match(numbers));
  CHECK(matcher.describe().find("element 1 is 2, expected 4") != std::string::npos);
}
