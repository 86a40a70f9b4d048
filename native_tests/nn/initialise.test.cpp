// SPDX-License-Identifier: MIT
// First weights: shapes, bounds, moments, and the same numbers for the same seed.
#include "lookback/nn/initialise.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

namespace {

struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
  float least = 0.0f;
  float most = 0.0f;
};

Moments moments_of(const Tensor& x) {
  double sum = 0.0, squares = 0.0;
  for (float value : x.values()) {
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  const auto n = static_cast<double>(x.size());
  const auto [least, most] = std::minmax_element(x.values().begin(), x.values().end());
  return {sum / n, std::sqrt(squares / n - sum / n * (sum / n)), *least, *most};
}

}  // namespace

TEST_CASE("initialise: uniform numbers fill the range from -bound to bound", "[nn]") {
  Random random(1);
  const Moments m = moments_of(nn::uniform({300, 200}, 0.25f, random));
  // 60000 draws: the mean is within 5 deviations of .25 / sqrt(3) / sqrt(60000), the ends are nearly reached.
  CHECK(std::abs(m.mean) < 0.003);
  CHECK(is_close(m.deviation, 0.25 / std::sqrt(3.0), {0.002, 0.0}));
  CHECK((m.least >= -0.25f && m.least < -0.2499f));
  CHECK((m.most < 0.25f && m.most > 0.2499f));
}

TEST_CASE("initialise: normal numbers have that deviation", "[nn]") {
  Random random(2);
  const Moments m = moments_of(nn::normal({300, 200}, 3.0f, random));
  CHECK(std::abs(m.mean) < 0.07);
  CHECK(is_close(m.deviation, 3.0, {0.05, 0.0}));
  CHECK((m.least < -9.0f && m.most > 9.0f));
}

TEST_CASE("initialise: a linear layer is uniform within 1 / sqrt(in)", "[nn]") {
  Random random(3);
  const nn::Linear layer = nn::make_linear(100, 400, nn::Bias::with, random);
  CHECK(layer.weight.shape() == Shape{100, 400});
  REQUIRE(layer.bias.has_value());
  CHECK(layer.bias->shape() == Shape{400});
  for (const Tensor& part : {layer.weight, *layer.bias}) {
    const Moments m = moments_of(part);
    CHECK((m.least >= -0.1f && m.least < -0.099f));
    CHECK((m.most < 0.1f && m.most > 0.099f));
  }
  CHECK(!nn::make_linear(3, 4, nn::Bias::none, random).bias.has_value());
}

TEST_CASE("initialise: an embedding has standard normal rows", "[nn]") {
  Random random(4);
  const nn::Embedding layer = nn::make_embedding(500, 100, random);
  CHECK(layer.table.shape() == Shape{500, 100});
  CHECK(is_close(moments_of(layer.table).deviation, 1.0, {0.02, 0.0}));
}

TEST_CASE("initialise: a recurrent layer is uniform within 1 / sqrt(hidden), whatever comes in", "[nn]") {
  Random random(5);
  const nn::RecurrentWeights layer = nn::make_recurrent(7, 100, 3, random);
  CHECK(layer.input.weight.shape() == Shape{7, 300});
  CHECK(layer.hidden.weight.shape() == Shape{100, 300});
  REQUIRE(layer.input.bias.has_value());
  REQUIRE(layer.hidden.bias.has_value());
  CHECK(layer.input.bias->shape() == Shape{300});
  CHECK(layer.hidden.bias->shape() == Shape{300});
  for (const Tensor& part : {layer.input.weight, layer.hidden.weight, *layer.input.bias, *layer.hidden.bias}) {
    const Moments m = moments_of(part);
    CHECK((m.least >= -0.1f && m.least < -0.095f));
    CHECK((m.most < 0.1f && m.most > 0.095f));
  }
}

TEST_CASE("initialise: the same seed gives the same numbers, and layers differ", "[nn]") {
  Random a(6), b(6);
  const nn::Linear first = nn::make_linear(3, 4, nn::Bias::with, a), again = nn::make_linear(3, 4, nn::Bias::with, b);
  CHECK_THAT(again.weight, close_to(first.weight, kExact));
  CHECK_THAT(*again.bias, close_to(*first.bias, kExact));
  CHECK_THAT(nn::make_linear(3, 4, nn::Bias::with, b).weight, !close_to(first.weight, kExact));
}
