// SPDX-License-Identifier: MIT
// Activation functions of one number.
#include "lookback/kernels/activation.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/kernels/reference/row.hpp"
#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename Function>
std::vector<float> each(Function function, const std::vector<float>& numbers) {
  std::vector<float> result;
  for (float number : numbers) result.push_back(function(number));
  return result;
}

std::vector<float> from_minus_ten_to_ten() {
  std::vector<float> numbers;
  for (int i = -200; i <= 200; ++i) numbers.push_back(static_cast<float>(i) * 0.05f);
  return numbers;
}

template <typename Function>
std::vector<double> each_in_double(Function function, const std::vector<float>& numbers) {
  std::vector<double> result;
  for (float number : numbers) result.push_back(function(static_cast<double>(number)));
  return result;
}

float silu(float x) { return swish(x, 1.0f); }

}  // namespace

TEST_CASE("gelu: the erf and the tanh form are two functions", "[kernels]") {
  const std::vector<float> x{1, 2, 3, -1, -3};
  CHECK_THAT(each(gelu_erf, x), close_to({0.84134475, 1.95449974, 2.99595031, -0.15865525, -0.00404969}, {1e-6, 0.0}));
  CHECK_THAT(each(gelu_tanh, x), close_to({0.84119199, 1.95459769, 2.99636261, -0.15880801, -0.00363739}, {1e-6, 0.0}));
  CHECK_THAT(std::vector<float>{std::abs(gelu_erf(-2.699f) - gelu_tanh(-2.699f))}, close_to({4.7324e-4}, {1e-7, 0.0}));
}

TEST_CASE("activations: saturate without overflow", "[kernels]") {
  CHECK_THAT(each(sigmoid, {-1000, 1000, -kInfinity, kInfinity, 0}), close_to({0, 1, 0, 1, 0.5}, kExact));
  CHECK_THAT(each(gelu_tanh, {1000, -1000, kInfinity, -kInfinity}), close_to({1000, 0, kInfinity, 0}, kExact));
  CHECK_THAT(each(gelu_erf, {1000, -1000, kInfinity, -kInfinity}), close_to({1000, 0, kInfinity, 0}, kExact));
  CHECK_THAT(each(silu, {1000, -1000, kInfinity, -kInfinity}), close_to({1000, 0, kInfinity, 0}, kExact));
  CHECK_THAT(each(relu, {2, 0, -3, kInfinity, -kInfinity}), close_to({2, 0, 0, kInfinity, 0}, kExact));
}

TEST_CASE("activations: NaN stays NaN", "[kernels]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (float y : {sigmoid(nan), silu(nan), gelu_erf(nan), gelu_tanh(nan), relu(nan)}) CHECK(std::isnan(y));
}

TEST_CASE("swish: alpha is inside the gate", "[kernels]") {
  // 2 sigmoid(1) and 2 sigmoid(4).
  CHECK_THAT(std::vector<float>({swish(2, 0.5f), swish(2, 2.0f), swish(2, 0.0f)}),
             close_to({1.46211716, 1.96402758, 1.0}));
}

TEST_CASE("activations: equal the double definitions from -10 to 10", "[kernels][reference]") {
  const std::vector<float> x = from_minus_ten_to_ten();
  // A few units in the last place, relative to the largest term.
  const Tolerance tolerance{1e-6, 1e-6};
  CHECK_THAT(each(sigmoid, x), close_to(each_in_double(reference::sigmoid<double>, x), tolerance));
  CHECK_THAT(each(silu, x), close_to(each_in_double([](double v) { return reference::swish(v, 1.0); }, x), tolerance));
  CHECK_THAT(each(gelu_erf, x), close_to(each_in_double(reference::gelu_erf<double>, x), tolerance));
  CHECK_THAT(each(gelu_tanh, x), close_to(each_in_double(reference::gelu_tanh<double>, x), tolerance));
}
