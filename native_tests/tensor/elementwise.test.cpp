// SPDX-License-Identifier: MIT
// Ops on each element, and on pairs under broadcasting.
#include "lookback/tensor/elementwise.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "lookback/kernels/activation.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
}  // namespace

TEST_CASE("add, subtract, multiply: element by element", "[tensor]") {
  const Tensor a = Tensor::matrix({{1, 2}, {3, 4}});
  const Tensor b = Tensor::matrix({{10, 20}, {30, 50}});
  CHECK_THAT(add(a, b), close_to(Tensor::matrix({{11, 22}, {33, 54}}), kExact));
  CHECK_THAT(subtract(a, b), close_to(Tensor::matrix({{-9, -18}, {-27, -46}}), kExact));
  CHECK_THAT(multiply(a, b), close_to(Tensor::matrix({{10, 40}, {90, 200}}), kExact));
}

TEST_CASE("add: rows, columns, numbers and missing axes broadcast", "[tensor]") {
  const Tensor x = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  CHECK_THAT(add(x, Tensor::vector({10, 20, 30})), close_to(Tensor::matrix({{11, 22, 33}, {14, 25, 36}}), kExact));
  CHECK_THAT(add(Tensor::matrix({{10}, {20}}), x), close_to(Tensor::matrix({{11, 12, 13}, {24, 25, 26}}), kExact));
  CHECK_THAT(add(x, Tensor::scalar(1)), close_to(Tensor::matrix({{2, 3, 4}, {5, 6, 7}}), kExact));
  const Tensor outer = multiply(Tensor(Shape{2, 1, 2}, {1, 2, 3, 4}), Tensor::matrix({{1, 10}, {100, 1000}, {5, 7}}));
  CHECK_THAT(outer, close_to(Tensor(Shape{2, 3, 2}, {1, 20, 100, 2000, 5, 14, 3, 40, 300, 4000, 15, 28}), kExact));
  CHECK(add(Tensor::zeros({0, 3}), Tensor::vector({1, 2, 3})).shape() == Shape{0, 3});
}

TEST_CASE("elementwise pairs: shapes that do not broadcast are named", "[tensor]") {
  const Tensor a = Tensor::zeros({2, 3});
  const Tensor b = Tensor::zeros({2});
  CHECK(error_of([&] { return add(a, b); }) == "shape: add: shapes [2, 3] and [2] do not broadcast (3 against 2)");
  CHECK(error_of([&] { return subtract(a, b); }).find("shape: subtract: ") == 0);
  CHECK(error_of([&] { return multiply(a, b); }).find("shape: multiply: ") == 0);
  CHECK(error_of([&] { return add_or_drop(a, b); }).find("shape: add_or_drop: ") == 0);
  CHECK(error_of([&] { return select(a, b, a); }) ==
        "shape: select: shapes [2, 3] and [2] do not broadcast (3 against 2)");
}

TEST_CASE("select: the number that is not chosen has no influence", "[tensor]") {
  const Tensor condition = Tensor::vector({1, 0, 1, 0});
  const Tensor chosen = Tensor::vector({1, kNan, 3, kInfinity});
  const Tensor otherwise = Tensor::vector({kNan, 20, -kInfinity, 40});
  CHECK_THAT(select(condition, chosen, otherwise), close_to(Tensor::vector({1, 20, 3, 40}), kExact));
}

TEST_CASE("select: all three broadcast", "[tensor]") {
  CHECK_THAT(select(Tensor::vector({1, 0}), Tensor::matrix({{1}, {2}}), Tensor::scalar(9)),
             close_to(Tensor::matrix({{1, 9}, {2, 9}}), kExact));
}

TEST_CASE("add_or_drop: -infinity drops whatever stands there", "[tensor]") {
  const Tensor x = Tensor::vector({1, kInfinity, kNan, 4});
  const Tensor addend = Tensor::vector({0.5f, -kInfinity, -kInfinity, -2});
  CHECK_THAT(add_or_drop(x, addend), close_to(Tensor::vector({1.5f, -kInfinity, -kInfinity, 2}), kExact));
}

TEST_CASE("scale, tanh and the activations act on every element", "[tensor]") {
  const Tensor x = Tensor::matrix({{-2, 0}, {0.5f, 3}});
  CHECK_THAT(scale(x, -2), close_to(Tensor::matrix({{4, 0}, {-1, -6}}), kExact));
  CHECK_THAT(tanh(x), close_to(Tensor::matrix({{-0.96402758f, 0}, {0.46211716f, 0.99505475f}})));
  CHECK_THAT(sigmoid(x), close_to(Tensor::matrix({{0.11920292f, 0.5f}, {0.62245933f, 0.95257413f}})));
  CHECK_THAT(relu(x), close_to(Tensor::matrix({{0, 0}, {0.5f, 3}}), kExact));
  CHECK_THAT(swish(x), close_to(Tensor::matrix({{-0.23840584f, 0}, {0.31122967f, 2.85772238f}})));
  CHECK_THAT(swish(x, 2), close_to(Tensor::matrix({{-0.03597242f, 0}, {0.36552929f, 2.99258212f}})));
  CHECK_THAT(gelu_erf(Tensor::vector({1, -3})), close_to(Tensor::vector({0.84134475f, -0.00404969f})));
  CHECK_THAT(gelu_tanh(Tensor::vector({1, -3})), close_to(Tensor::vector({0.84119199f, -0.00363739f})));
}

TEST_CASE("tanh: saturates without NaN", "[tensor]") {
  CHECK_THAT(tanh(Tensor::vector({44, -45, 89, -100, 1000, -1000})),
             close_to(Tensor::vector({1, -1, 1, -1, 1, -1}), {1e-6, 0.0}));
}

TEST_CASE("soft cap: cap times tanh of the quotient; the cap is above 0 and finite", "[tensor]") {
  CHECK_THAT(soft_cap(Tensor::vector({4, 0, -1e9f}), 2), close_to(Tensor::vector({1.92805516f, 0, -2})));
  for (float cap : {0.0f, -1.0f, kNan, kInfinity}) {
    CHECK(error_of([&] {
            return soft_cap(Tensor::vector({1}), cap);
          }).find("value: soft_cap: the cap must be above 0 and finite, got ") == 0);
  }
}
