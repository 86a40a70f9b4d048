// SPDX-License-Identifier: MIT
// The affine map.
#include "lookback/nn/linear.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("linear: a square weight is [in, out]", "[nn]") {
  const nn::Linear layer{Tensor::matrix({{1, 3}, {2, 4}}), Tensor::vector({0.5f, -0.5f})};
  CHECK_THAT(layer.forward(Tensor::vector({1, 10})), close_to(Tensor::vector({21.5f, 42.5f}), kExact));
}

TEST_CASE("linear: the bias is optional, leading axes are kept", "[nn]") {
  const nn::Linear layer{counted_tensor({3, 2}), {}};
  CHECK_THAT(layer.forward(Tensor(Shape{1, 2, 3}, {1, 0, 0, 0, 1, 10})),
             close_to(Tensor(Shape{1, 2, 2}, {1, 2, 53, 64}), kExact));
  CHECK(layer.forward(Tensor::zeros({0, 3})).shape() == Shape{0, 2});
}

TEST_CASE("linear: shapes that disagree are named", "[nn]") {
  const nn::Linear layer{Tensor::zeros({3, 2}), {}};
  CHECK(error_of([&] {
          return layer.forward(Tensor::zeros({2, 2}));
        }) == "shape: linear: x [2, 2] does not fit weight [in, out] [3, 2]");
  CHECK(error_of([&] { return layer.forward(Tensor::scalar(1)); }) ==
        "shape: linear: x [] does not fit weight [in, out] [3, 2]");
  const nn::Linear biased{Tensor::zeros({3, 2}), Tensor::zeros({3})};
  CHECK(error_of([&] {
          return biased.forward(Tensor::zeros({1, 3}));
        }) == "shape: linear: bias [3] does not fit weight [in, out] [3, 2]");
  const nn::Linear flat{Tensor::zeros({3}), {}};
  CHECK(error_of([&] {
          return flat.forward(Tensor::zeros({1, 3}));
        }) == "shape: linear: x [1, 3] does not fit weight [in, out] [3]");
}
