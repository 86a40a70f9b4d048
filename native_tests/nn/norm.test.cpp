// SPDX-License-Identifier: MIT
// Normalisation layers.
#include "lookback/nn/norm.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("layer norm: its own weight, bias and epsilon", "[nn]") {
  const nn::LayerNorm layer{Tensor::vector({2, 3}), Tensor::vector({10, 20}), 0.0f};
  CHECK_THAT(layer.forward(Tensor::matrix({{1, 5}, {9, 9}})), close_to(Tensor::matrix({{8, 23}, {10, 20}}), kExact));
  const nn::LayerNorm usual{Tensor::vector({1, 1}), Tensor::vector({0, 0})};
  CHECK_THAT(usual.forward(Tensor::vector({0, 0.002f})), close_to(Tensor::vector({-0.30151134f, 0.30151134f})));
}

TEST_CASE("rms norm: its own weight and epsilon", "[nn]") {
  const nn::RmsNorm layer{Tensor::vector({1, 2}), 1e-6f};
  CHECK_THAT(layer.forward(Tensor::vector({0.02f, 0.02f})), close_to(Tensor::vector({0.99875234f, 1.99750468f})));
  const nn::RmsNorm usual{Tensor::vector({1, 2})};
  CHECK_THAT(usual.forward(Tensor::vector({0.02f, 0.02f})), close_to(Tensor::vector({0.98772960f, 1.97545920f})));
}

TEST_CASE("norm layers: parameters of another width are named", "[nn]") {
  const nn::RmsNorm layer{Tensor::zeros({2})};
  CHECK(error_of([&] {
          return layer.forward(Tensor::zeros({1, 3}));
        }) == "shape: rms_norm: shapes [2] and [3] do not broadcast (2 against 3)");
  const nn::LayerNorm wide{Tensor::zeros({3}), Tensor::zeros({2})};
  CHECK(error_of([&] {
          return wide.forward(Tensor::zeros({1, 3}));
        }) == "shape: layer_norm: shapes [2] and [3] do not broadcast (2 against 3)");
}
