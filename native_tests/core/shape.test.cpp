// SPDX-License-Identifier: MIT
// Extents, axes and broadcasting.
#include "lookback/core/shape.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("shape: counts elements; none is a scalar, an extent of 0 is nothing", "[core]") {
  CHECK(Shape{2, 3, 4}.num_elements() == 24);
  CHECK(Shape{}.num_elements() == 1);
  CHECK(Shape{}.rank() == 0);
  CHECK(Shape{2, 0, 4}.num_elements() == 0);
}

TEST_CASE("shape: axes count from the start, or negative from the end", "[core]") {
  const Shape shape{2, 3, 4};
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 4);
  CHECK(shape[-3] == 2);
  CHECK(shape.normalize_axis(-2) == 1);
  CHECK(error_of([&] { return shape[3]; }) == "range: shape: no axis 3 in [2, 3, 4]");
  CHECK(error_of([&] { return shape[-4]; }) == "range: shape: no axis -4 in [2, 3, 4]");
  CHECK(error_of([] { return Shape{}[0]; }) == "range: shape: no axis 0 in []");
}

TEST_CASE("shape: products, and shapes made of a shape", "[core]") {
  const Shape shape{2, 3, 4};
  CHECK(shape.product(1, 3) == 12);
  CHECK(shape.product(1, 1) == 1);
  CHECK(shape.with(-1, 7) == Shape{2, 3, 7});
  CHECK(shape.without_last(2) == Shape{2});
  CHECK(shape.without_last(3) == Shape{});
  CHECK(shape.appended({5, 6}) == Shape{2, 3, 4, 5, 6});
  CHECK(shape != Shape{2, 3});
  CHECK(shape.to_string() == "[2, 3, 4]");
  CHECK(Shape{}.to_string() == "[]");
}

TEST_CASE("shape: negative extents and counts beyond 2^40 are refused", "[core]") {
  const std::int64_t huge = std::int64_t{1} << 40;
  CHECK(error_of([] { return Shape{2, -1}; }) == "shape: shape: extents must be 0 or more, got [2, -1]");
  CHECK(Shape{huge}.num_elements() == huge);
  CHECK(error_of([&] { return Shape{huge, 2}; }) == "shape: shape: too many elements in [1099511627776, 2]");
  CHECK(error_of([&] {
          return Shape{0, huge, huge};
        }) == "shape: shape: too many elements in [0, 1099511627776, 1099511627776]");
}

TEST_CASE("broadcast: aligned at the last axis, extents equal or 1", "[core]") {
  CHECK(broadcast("f", Shape{2, 3}, Shape{3}) == Shape{2, 3});
  CHECK(broadcast("f", Shape{3}, Shape{2, 3}) == Shape{2, 3});
  CHECK(broadcast("f", Shape{4, 1, 3}, Shape{2, 1}) == Shape{4, 2, 3});
  CHECK(broadcast("f", Shape{}, Shape{2}) == Shape{2});
  CHECK(broadcast("f", Shape{1, 3}, Shape{0, 3}) == Shape{0, 3});
}

TEST_CASE("broadcast: names the function, both shapes and the extents that disagree", "[core]") {
  CHECK(error_of([] {
          return broadcast("f", Shape{2, 3}, Shape{2, 4});
        }) == "shape: f: shapes [2, 3] and [2, 4] do not broadcast (3 against 4)");
  CHECK(error_of([] { return broadcast("f", Shape{0}, Shape{2}); }) ==
        "shape: f: shapes [0] and [2] do not broadcast (0 against 2)");
}
