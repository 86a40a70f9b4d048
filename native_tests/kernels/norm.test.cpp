// SPDX-License-Identifier: MIT
// Layer and root-mean-square normalisation of one row.
#include "lookback/kernels/norm.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <vector>

#include "lookback/kernels/reference/row.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

std::vector<float> layer_norm(const std::vector<float>& x, float epsilon) {
  std::vector<float> output(x.size());
  layer_norm_row(x.data(), nullptr, nullptr, epsilon, output.data(), static_cast<std::int64_t>(x.size()));
  return output;
}

std::vector<float> rms_norm(const std::vector<float>& x, float epsilon) {
  std::vector<float> output(x.size());
  rms_norm_row(x.data(), nullptr, epsilon, output.data(), static_cast<std::int64_t>(x.size()));
  return output;
}

}  // namespace

TEST_CASE("layer norm: the variance divides by n", "[kernels]") {
  CHECK_THAT(layer_norm({1, 2, 3, 4}, 1e-5f), close_to({-1.34163542, -0.44721181, 0.44721181, 1.34163542}));
  CHECK_THAT(layer_norm({0, 2}, 1e-5f), close_to({-0.999995, 0.999995}, {1e-7, 0.0}));
}

TEST_CASE("layer norm: epsilon is inside the root", "[kernels]") {
  CHECK_THAT(layer_norm({0, 0.002f}, 1e-5f), close_to({-0.30151134, 0.30151134}));
}

TEST_CASE("layer norm: a constant row gives exactly the bias, whatever epsilon is", "[kernels]") {
  const float epsilon = GENERATE(1e-5f, 0.0f);
  const std::vector<float> x(3, 0.1f);
  const std::vector<float> weight{2, 3, 4};
  const std::vector<float> bias{0.5f, -1, 7};
  std::vector<float> output(3);
  layer_norm_row(x.data(), weight.data(), bias.data(), epsilon, output.data(), 3);
  CHECK_THAT(output, close_to(bias, kExact));
  CHECK_THAT(layer_norm({7, 7, 7}, epsilon), close_to({0, 0, 0}, kExact));
}

TEST_CASE("layer norm: hands back mean and inverse deviation", "[kernels]") {
  const std::vector<float> x{1, 5};
  std::vector<float> output(2);
  const RowMoments moments = layer_norm_row(x.data(), nullptr, nullptr, 0.0f, output.data(), 2);
  CHECK(moments.mean == 3.0f);
  CHECK(moments.inverse_deviation == 0.5f);
}

TEST_CASE("layer norm: a large mean does not swallow small differences", "[kernels]") {
  CHECK_THAT(layer_norm({10000, 10001, 10002, 10003}, 1e-5f),
             close_to({-1.34163542, -0.44721181, 0.44721181, 1.34163542}));
}

TEST_CASE("rms norm: epsilon's size and place, and rows of zeros", "[kernels]") {
  CHECK_THAT(rms_norm({0.02f, 0.02f}, 1e-5f), close_to({0.98772960, 0.98772960}));
  CHECK_THAT(rms_norm({0.02f, 0.02f}, 1e-6f), close_to({0.99875234, 0.99875234}));
  CHECK_THAT(rms_norm({0.001f, 0.001f}, 1e-5f), close_to({0.30151134, 0.30151134}));
  CHECK_THAT(rms_norm({0.001f, 0.001f}, 1e-6f), close_to({0.70710678, 0.70710678}));
  CHECK_THAT(rms_norm({0, 0}, 1e-5f), close_to({0, 0}, kExact));
  CHECK_THAT(rms_norm({0, 0}, 0.0f), close_to({0, 0}, kExact));
}

TEST_CASE("norms: equal the double definitions, with parameters, in place and at every length",
          "[kernels][reference]") {
  const std::int64_t n = GENERATE(0, 1, 2, 3, 7, 64, 301);
  const std::vector<float> x = random_numbers(n, 11);
  const std::vector<float> weight = random_numbers(n, 12);
  const std::vector<float> bias = random_numbers(n, 13);
  std::vector<float> output = x;
  layer_norm_row(output.data(), weight.data(), bias.data(), 1e-3f, output.data(), n);
  CHECK_THAT(output, close_to(reference::layer_norm(to_doubles(x), to_doubles(weight), to_doubles(bias), 1e-3)));
  output = x;
  rms_norm_row(output.data(), weight.data(), 1e-3f, output.data(), n);
  CHECK_THAT(output, close_to(reference::rms_norm(to_doubles(x), to_doubles(weight), 1e-3)));
}
