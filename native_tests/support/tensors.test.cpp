// SPDX-License-Identifier: MIT
// The tensor and error helpers catch what they are there to catch.
#include "support/tensors.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("close_to: a tensor must have the expected shape and numbers", "[support]") {
  const Tensor expected = Tensor::matrix({{1, 2}, {3, 4}});
  CHECK_THAT(expected, close_to(expected, kExact));
  CHECK_THAT(expected, !close_to(expected.reshape({4})));
  CHECK_THAT(expected, !close_to(Tensor::matrix({{1, 2}, {3, 5}})));
  CHECK_THAT(Tensor::vector({NAN}), !close_to(Tensor::vector({NAN})));
  const CloseToTensor matcher = close_to(expected);
  CHECK_FALSE(matcher.match(expected.reshape({1, 4})));
  CHECK(matcher.describe() == "is not close: shape [1, 4], expected [2, 2]");
}

TEST_CASE("random_tensor: distinct numbers, the same for the same seed", "[support]") {
  const Tensor first = random_tensor({4, 25}, 1);
  CHECK(std::set<float>(first.values().begin(), first.values().end()).size() == 100);
  CHECK_THAT(random_tensor({4, 25}, 1), close_to(first, kExact));
  CHECK_THAT(random_tensor({4, 25}, 2), !close_to(first));
  for (float value : first.values()) CHECK((value >= -1.0f && value < 1.0f));
}

TEST_CASE("error_of: tells the code and the message, and when there was no error", "[support]") {
  CHECK(error_of([]() -> int { throw ShapeError("f: too long"); }) == "shape: f: too long");
  CHECK(error_of([] { return 1; }) == "no error");
}
