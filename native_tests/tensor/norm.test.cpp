// SPDX-License-Identifier: MIT
// Normalisation of tensors over their last axes.
#include "lookback/tensor/norm.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("layer_norm: each row alone, with its moments", "[tensor]") {
  const LayerNormResult result = layer_norm(Tensor::matrix({{1, 5}, {7, 7}, {10, 4}}), {}, {}, 0.0f);
  CHECK_THAT(result.output, close_to(Tensor::matrix({{-1, 1}, {0, 0}, {1, -1}}), kExact));
  CHECK_THAT(result.mean, close_to(Tensor::matrix({{3}, {7}, {7}}), kExact));
  CHECK_THAT(result.inverse_deviation, close_to(Tensor::matrix({{0.5f}, {0}, {1.0f / 3.0f}})));
}

TEST_CASE("layer_norm: weight and bias after the division", "[tensor]") {
  const Tensor x = Tensor::matrix({{1, 2, 3, 4}});
  const Tensor y = layer_norm(x, Tensor::vector({1, 2, 3, 4}), Tensor::vector({10, 20, 30, 40}), 1e-5f).output;
  CHECK_THAT(y, close_to(Tensor::matrix({{8.65836458f, 19.10557638f, 31.34163542f, 45.36654169f}})));
}

TEST_CASE("norms: over several last axes a row is all of them", "[tensor]") {
  const Tensor x(Shape{1, 2, 2}, {1, 2, 3, 4});
  const LayerNormResult result = layer_norm(x, {}, {}, 1e-5f, 1);
  CHECK_THAT(result.output, close_to(Tensor(Shape{1, 2, 2}, {-1.34163542f, -0.44721181f, 0.44721181f, 1.34163542f})));
  CHECK(result.mean.shape() == Shape{1, 1, 1});
  // sqrt((1 + 4 + 9 + 16) / 4) = sqrt(7.5).
  const float root = std::sqrt(7.5f);
  CHECK_THAT(rms_norm(x, {}, 0.0f, 1), close_to(Tensor(Shape{1, 2, 2}, {1 / root, 2 / root, 3 / root, 4 / root})));
}

TEST_CASE("norms: a parameter broadcasts to the row", "[tensor]") {
  const Tensor x(Shape{1, 2, 2}, {1, 2, 3, 4});
  const Tensor by_row = Tensor::matrix({{2}, {3}});
  const Tensor full = Tensor::matrix({{2, 2}, {3, 3}});
  CHECK_THAT(rms_norm(x, by_row, 1e-5f, 1), close_to(rms_norm(x, full, 1e-5f, 1), kExact));
  CHECK_THAT(layer_norm(x, Tensor::scalar(2), by_row, 1e-5f, 1).output,
             close_to(layer_norm(x, Tensor::full({2, 2}, 2), full, 1e-5f, 1).output, kExact));
}

TEST_CASE("rms_norm: no mean is taken away", "[tensor]") {
  CHECK_THAT(rms_norm(Tensor::matrix({{3, 4}, {0, 0}}), Tensor::vector({1, 2}), 0.0f),
             close_to(Tensor::matrix({{0.84852814f, 2.26274170f}, {0, 0}})));
}

TEST_CASE("norms: rows of no element and no row", "[tensor]") {
  CHECK(layer_norm(Tensor::zeros({0, 3}), {}, {}).mean.shape() == Shape{0, 1});
  CHECK(layer_norm(Tensor::zeros({2, 0}), {}, {}).output.shape() == Shape{2, 0});
  CHECK(rms_norm(Tensor::zeros({0, 3}), {}).shape() == Shape{0, 3});
}

TEST_CASE("norms: wrong parameters, axes and epsilons are named", "[tensor]") {
  const Tensor x = Tensor::zeros({2, 3});
  CHECK(error_of([&] { return layer_norm(x, Tensor::zeros({2}), {}); }) ==
        "shape: layer_norm: shapes [2] and [3] do not broadcast (2 against 3)");
  CHECK(error_of([&] {
          return layer_norm(x, {}, Tensor::zeros({2, 3}));
        }) == "shape: layer_norm: a parameter of shape [2, 3] is wider than the row [3]");
  CHECK(error_of([&] { return rms_norm(x, {}, -1.0f); }) == "value: rms_norm: epsilon must be 0 or more, got -1");
  CHECK(error_of([&] { return rms_norm(x, {}, NAN); }).find("value: rms_norm: epsilon must be 0 or more, got ") == 0);
  CHECK(error_of([&] { return rms_norm(x, {}, 1e-5f, 2); }) == "range: shape: no axis 2 in [2, 3]");
}
