// SPDX-License-Identifier: MIT
// exp, tanh and the logistic function by vectors, against double, all over their range.
#include "lookback/kernels/vector_math.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/kernels/activation.hpp"
#include "lookback/kernels/reference/row.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Function>
std::vector<float> mapped(const std::vector<float>& x, Function f) {
  std::vector<float> output(x.size());
  map_row(x.data(), output.data(), static_cast<std::int64_t>(x.size()), f);
  return output;
}

std::vector<float> exp_of(const std::vector<float>& x) { return mapped(x, Exp()); }
std::vector<float> tanh_of(const std::vector<float>& x) { return mapped(x, Tanh()); }
std::vector<float> sigmoid_of(const std::vector<float>& x) { return mapped(x, Sigmoid()); }

std::vector<float> even_steps(double from, double to, int count) {
  std::vector<float> x;
  for (int i = 0; i <= count; ++i) x.push_back(static_cast<float>(from + (to - from) * i / count));
  return x;
}

/// The largest distance to the double result, in units of the last place of the f32 nearest to it.
template <class Reference>
double largest_error(const std::vector<float>& x, const std::vector<float>& actual, Reference reference) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = reference(static_cast<double>(x[i]));
    const auto nearest = static_cast<float>(expected);
    const double unit =
        static_cast<double>(std::nextafter(std::abs(nearest), kInfinity)) - std::abs(static_cast<double>(nearest));
    const double error = std::abs(static_cast<double>(actual[i]) - expected) / unit;
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

}  // namespace

TEST_CASE("exp: within 2 units in the last place where the result is normal", "[kernels]") {
  const std::vector<float> x = even_steps(-86.5, 88.7, 200000);
  CHECK(largest_error(x, exp_of(x), [](double v) { return std::exp(v); }) < 2.0);
}

TEST_CASE("exp: the ends of its range", "[kernels]") {
  CHECK_THAT(exp_of({0, -kInfinity, kInfinity, -87.0f, -1000, 88.8f, 1000}),
             close_to({1, 0, kInfinity, 0, 0, kInfinity, kInfinity}, kExact));
  CHECK(std::isfinite(exp_of({88.72f})[0]));
  for (float y : exp_of({kNan, kNan, kNan, kNan, kNan})) CHECK(std::isnan(y));
}

TEST_CASE("power of two: within 2.5 units in the last place, 0 far down, NaN kept", "[kernels]") {
  const auto powers = [](const std::vector<float>& x) { return mapped(x, PowerOfTwo()); };
  const std::vector<float> x = even_steps(-126, 126.9, 200000);
  CHECK(largest_error(x, powers(x), [](double v) { return std::exp2(v); }) < 2.5);
  CHECK_THAT(powers({0, 1, -1, -126, 126, -127, -1e30f, -kInfinity}),
             close_to({1, 2, 0.5, std::ldexp(1.0, -126), std::ldexp(1.0, 126), 0, 0, 0}, kExact));
  for (float y : powers(even_steps(-127, -126, 100))) CHECK((y >= 0.0f && y <= 1.2e-38f));
  for (float y : powers({kNan, -kNan, std::bit_cast<float>(0x7f800001u)})) CHECK(std::isnan(y));
}

TEST_CASE("tanh: within 3 units in the last place, odd, saturated, NaN kept", "[kernels]") {
  std::vector<float> x = even_steps(-10, 10, 100000);
  for (float tiny : {1e-30f, -1e-20f, 1e-8f, 0.62499f, 0.62501f}) x.push_back(tiny);
  CHECK(largest_error(x, tanh_of(x), [](double v) { return std::tanh(v); }) < 3.0);
  CHECK_THAT(tanh_of({0, 50, -50, kInfinity, -kInfinity}), close_to({0, 1, -1, 1, -1}, kExact));
  CHECK(std::isnan(tanh_of({kNan})[0]));
}

TEST_CASE("sigmoid: within 4 units in the last place, saturated, NaN kept", "[kernels]") {
  const std::vector<float> x = even_steps(-86, 30, 100000);
  CHECK(largest_error(x, sigmoid_of(x), [](double v) { return 1.0 / (1.0 + std::exp(-v)); }) < 4.0);
  CHECK_THAT(sigmoid_of({0, 1000, -1000, kInfinity, -kInfinity}), close_to({0.5, 1, 0, 1, 0}, kExact));
  CHECK(std::isnan(sigmoid_of({kNan})[0]));
}

TEST_CASE("activation rows: equal the double definitions at every length, in place too", "[kernels][reference]") {
  const std::int64_t n = GENERATE(0, 1, 3, 4, 5, 16, 37);
  std::vector<float> x = random_numbers(n, 61);
  for (float& value : x) value *= 8.0f;
  const Tolerance tolerance{1e-6, 1e-6};
  const auto check = [&](auto row, auto reference) {
    std::vector<double> expected;
    for (float value : x) expected.push_back(reference(static_cast<double>(value)));
    std::vector<float> in_place = x;
    row(in_place.data(), in_place.data(), n);
    CHECK_THAT(in_place, close_to(expected, tolerance));
  };
  check(sigmoid_row, reference::sigmoid<double>);
  check(tanh_row, [](double v) { return std::tanh(v); });
  check(gelu_tanh_row, reference::gelu_tanh<double>);
  check([](const float* in, float* out, std::int64_t count) { swish_row(in, 1.5f, out, count); },
        [](double v) { return reference::swish(v, 1.5); });
}

TEST_CASE("silu_multiply: equals its double definition at every length, over either operand", "[kernels][reference]") {
  const std::int64_t n = GENERATE(0, 1, 3, 4, 5, 16, 37);
  const std::vector<float> gate = random_numbers(n, 62);
  const std::vector<float> up = random_numbers(n, 63);
  std::vector<double> expected;
  for (std::size_t i = 0; i < gate.size(); ++i) {
    expected.push_back(reference::swish(static_cast<double>(gate[i]), 1.0) * static_cast<double>(up[i]));
  }
  std::vector<float> over_gate = gate, over_up = up;
  silu_multiply_row(over_gate.data(), up.data(), over_gate.data(), n);
  silu_multiply_row(gate.data(), over_up.data(), over_up.data(), n);
  CHECK_THAT(over_gate, close_to(expected, {1e-6, 1e-6}));
  CHECK_THAT(over_up, close_to(expected, {1e-6, 1e-6}));
}

TEST_CASE("activation rows: a shut gate lets nothing through, not even infinity; NaN passes", "[kernels]") {
  std::vector<float> x{-kInfinity, kInfinity, -1000, 1000, kNan};
  std::vector<float> y(5);
  swish_row(x.data(), 1.0f, y.data(), 5);
  CHECK_THAT(std::vector<float>(y.begin(), y.begin() + 4), close_to({0, kInfinity, 0, 1000}, kExact));
  CHECK(std::isnan(y[4]));
  gelu_tanh_row(x.data(), y.data(), 5);
  CHECK_THAT(std::vector<float>(y.begin(), y.begin() + 4), close_to({0, kInfinity, 0, 1000}, kExact));
  CHECK(std::isnan(y[4]));
}
