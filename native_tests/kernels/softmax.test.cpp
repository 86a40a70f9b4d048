// SPDX-License-Identifier: MIT
// Softmax, its logarithm and the largest entry of one row.
#include "lookback/kernels/softmax.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "lookback/kernels/reference/row.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::int64_t length(const std::vector<float>& x) { return static_cast<std::int64_t>(x.size()); }

/// In place, as the headers allow.
std::vector<float> softmax(std::vector<float> x) {
  softmax_row(x.data(), x.data(), length(x));
  return x;
}

std::vector<float> log_softmax(std::vector<float> x) {
  log_softmax_row(x.data(), x.data(), length(x));
  return x;
}

std::int64_t argmax(const std::vector<float>& x) { return argmax_row(x.data(), length(x)); }

}  // namespace

TEST_CASE("softmax: large logits do not overflow", "[kernels]") {
  CHECK_THAT(softmax({1000, 1001, 1002}), close_to({0.09003057, 0.24472847, 0.66524096}));
  CHECK_THAT(softmax({-3e38f, 3e38f}), close_to({0, 1}, kExact));
}

TEST_CASE("softmax: dropped entries get exactly 0, rows of nothing else give zeros", "[kernels]") {
  CHECK_THAT(softmax({0, -kInfinity}), close_to({1, 0}, kExact));
  CHECK_THAT(softmax({-kInfinity, -kInfinity, 0, 1}), close_to({0, 0, 0.26894142, 0.73105858}));
  CHECK_THAT(softmax({-kInfinity, -kInfinity}), close_to({0, 0}, kExact));
  CHECK(softmax({}).empty());
}

TEST_CASE("softmax: infinite entries share the weight, NaN spreads", "[kernels]") {
  CHECK_THAT(softmax({kInfinity, 5, kInfinity}), close_to({0.5, 0, 0.5}, kExact));
  for (float weight : softmax({1, kNan, -kInfinity})) CHECK(std::isnan(weight));
}

TEST_CASE("softmax: adding a number to every logit changes nothing", "[kernels]") {
  const std::vector<float> x{0.5f, -1.25f, 3, 0};
  std::vector<float> shifted = x;
  for (float& value : shifted) value += 64.0f;
  CHECK_THAT(softmax(shifted), close_to(softmax(x), kExact));
}

TEST_CASE("softmax: temperature divides the logits, and towards 0 only the largest is left", "[kernels]") {
  const auto at = [](float temperature, std::vector<float> x) {
    softmax_row(x.data(), x.data(), length(x), temperature);
    return x;
  };
  CHECK_THAT(at(2.0f, {0, 2}), close_to(softmax({0, 1})));
  CHECK_THAT(at(1e30f, {1, 5, 2}), close_to({1.0 / 3, 1.0 / 3, 1.0 / 3}));
  // The reciprocal of the least number above 0 is no f32, and neither is 1e9 divided by 1e-30.
  CHECK_THAT(at(std::numeric_limits<float>::denorm_min(), {1, 5, 2}), close_to({0, 1, 0}, kExact));
  CHECK_THAT(at(1e-30f, {0, 1e9f, 2e9f, -kInfinity}), close_to({0, 0, 1, 0}, kExact));
  CHECK_THAT(at(1e-30f, {-kInfinity, -kInfinity}), close_to({0, 0}, kExact));
}

TEST_CASE("softmax: rows sum to 1 and equal the double definition at every length", "[kernels][reference]") {
  const std::int64_t n = GENERATE(1, 2, 3, 5, 17, 1000);
  const std::vector<float> x = random_numbers(n, 21);
  const std::vector<float> weights = softmax(x);
  CHECK_THAT(weights, close_to(reference::softmax(to_doubles(x)), {1e-7, 1e-5}));
  CHECK(is_close(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, kFloat32));
  CHECK_THAT(log_softmax(x), close_to(reference::log_softmax(to_doubles(x))));
}

TEST_CASE("log softmax: small probabilities are kept", "[kernels]") {
  CHECK_THAT(log_softmax({0, 200}), close_to({-200, 0}));
  CHECK_THAT(log_softmax({0, -kInfinity}), close_to({0, -kInfinity}, kExact));
  CHECK_THAT(log_softmax({-kInfinity, -kInfinity}), close_to({-kInfinity, -kInfinity}, kExact));
  CHECK_THAT(log_softmax({kInfinity, 0, kInfinity}), close_to({-std::log(2.0), -kInfinity, -std::log(2.0)}));
  for (float value : log_softmax({1, kNan})) CHECK(std::isnan(value));
}

TEST_CASE("argmax: the lowest index on a tie, never NaN, -1 when there is none", "[kernels]") {
  CHECK(argmax({1, 5, 2, 5}) == 1);
  CHECK(argmax({kNan, 1, 5, 2}) == 2);
  CHECK(argmax({-kInfinity, -kInfinity}) == 0);
  CHECK(argmax({0, kInfinity}) == 1);
  CHECK(argmax({kNan}) == -1);
  CHECK(argmax({}) == -1);
}
