// SPDX-License-Identifier: MIT
// Softmax of tensors along an axis, with temperature, and its hard limit.
#include "lookback/tensor/softmax.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>

#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();
}

TEST_CASE("softmax: along the last axis unless said", "[tensor]") {
  const Tensor x = Tensor::matrix({{1000, 1001, 1002}, {0, 0, 0}});
  CHECK_THAT(softmax(x),
             close_to(Tensor::matrix({{0.09003057f, 0.24472847f, 0.66524096f}, {1 / 3.f, 1 / 3.f, 1 / 3.f}})));
}

TEST_CASE("softmax: along any axis the sums are 1", "[tensor]") {
  const int axis = GENERATE(0, 1, 2, -1, -2, -3);
  const Tensor x = random_tensor({3, 4, 5}, 5);
  const Tensor y = softmax(x, axis);
  REQUIRE(y.shape() == x.shape());
  const Tensor last = transpose(y, axis, -1);
  for (std::int64_t row = 0; row < last.size() / last.dim(-1); ++row) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < last.dim(-1); ++j) sum += static_cast<double>(last.data()[row * last.dim(-1) + j]);
    CHECK(is_close(sum, 1.0, kFloat32));
  }
  CHECK_THAT(transpose(softmax(transpose(x, axis, -1)), axis, -1), close_to(y, kExact));
  CHECK_THAT(log_softmax(x, axis), close_to(transpose(log_softmax(transpose(x, axis, -1)), axis, -1), kExact));
}

TEST_CASE("softmax: temperature divides the logits", "[tensor]") {
  const Tensor x = Tensor::vector({1, 5, 2});
  CHECK_THAT(softmax(x, -1, 4.0f), close_to(softmax(Tensor::vector({0.25f, 1.25f, 0.5f}))));
  CHECK_THAT(softmax(x, -1, 1e-30f), close_to(Tensor::vector({0, 1, 0}), kExact));
  CHECK_THAT(softmax(Tensor::vector({0, 1, -kInfinity}), -1, 1e-40f), close_to(Tensor::vector({0, 1, 0}), kExact));
  for (float temperature : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), kInfinity}) {
    CHECK(error_of([&] {
            return softmax(x, -1, temperature);
          }).find("value: softmax: the temperature must be above 0 and finite, got ") == 0);
  }
}

TEST_CASE("softmax: dropped entries get 0, a row of nothing else gives zeros", "[tensor]") {
  CHECK_THAT(softmax(Tensor::matrix({{0, -kInfinity}, {-kInfinity, -kInfinity}})),
             close_to(Tensor::matrix({{1, 0}, {0, 0}}), kExact));
  CHECK(softmax(Tensor::zeros({2, 0})).shape() == Shape{2, 0});
}

TEST_CASE("log_softmax: the logarithm of the softmax", "[tensor]") {
  const Tensor y = log_softmax(Tensor::matrix({{0, std::log(3.0f)}, {0, 200}}));
  CHECK_THAT(y, close_to(Tensor::matrix({{std::log(0.25f), std::log(0.75f)}, {-200, 0}})));
}

TEST_CASE("softmax: a wrong axis is named", "[tensor]") {
  CHECK(error_of([] { return softmax(Tensor::zeros({2, 3}), 2); }) == "range: shape: no axis 2 in [2, 3]");
  CHECK(error_of([] { return softmax(Tensor::scalar(1)); }) == "range: shape: no axis -1 in []");
}

TEST_CASE("hard_max: all weight on the highest, the first on a tie, none when all is dropped", "[tensor]") {
  CHECK_THAT(hard_max(Tensor::matrix({{1, 5, 2}, {3, 3, 1}, {-kInfinity, -kInfinity, -kInfinity}})),
             close_to(Tensor::matrix({{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}), kExact));
}
