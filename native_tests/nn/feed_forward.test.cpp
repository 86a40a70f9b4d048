// SPDX-License-Identifier: MIT
// The position-wise network, plain and gated.
#include "lookback/nn/feed_forward.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("feed forward: up, activation, down", "[nn]") {
  nn::FeedForward layer;
  layer.up = {Tensor::matrix({{1, -1, 2}}), Tensor::vector({0, 0, -1})};
  layer.down = {Tensor::matrix({{1}, {10}, {100}}), Tensor::vector({0.5f})};
  // x = 2: up 2, -2, 3; relu 2, 0, 3; down 2 + 300 + 0.5.
  CHECK_THAT(layer.forward(Tensor::matrix({{2}})), close_to(Tensor::matrix({{302.5f}}), kExact));
}

TEST_CASE("feed forward: the activation acts on the gate, not on what it lets through", "[nn]") {
  nn::FeedForward layer;
  layer.up = {Tensor::matrix({{3}}), {}};
  layer.gate = nn::Linear{Tensor::matrix({{1}}), {}};
  layer.down = {Tensor::matrix({{2}}), {}};
  layer.activation = nn::Activation::swish;
  // x = 2: gate swish(2) = 1.76159416, up 6, down twice the product.
  CHECK_THAT(layer.forward(Tensor::matrix({{2}})), close_to(Tensor::matrix({{21.13912992f}})));
  // x = 2: gate relu(2) = 2, up -6, down twice the product; relu(-6) would let nothing through.
  layer.activation = nn::Activation::relu;
  layer.up = {Tensor::matrix({{-3}}), {}};
  CHECK_THAT(layer.forward(Tensor::matrix({{2}})), close_to(Tensor::matrix({{-24}}), kExact));
  // gelu(2) = 1.95449974 times -6, doubled.
  layer.activation = nn::Activation::gelu_erf;
  CHECK_THAT(layer.forward(Tensor::matrix({{2}})), close_to(Tensor::matrix({{-23.45399685f}})));
}

TEST_CASE("feed forward: each activation by its name", "[nn]") {
  const Tensor x = Tensor::vector({-1, 3});
  CHECK_THAT(nn::activate(x, nn::Activation::relu), close_to(Tensor::vector({0, 3}), kExact));
  CHECK_THAT(nn::activate(x, nn::Activation::gelu_erf), close_to(Tensor::vector({-0.15865525f, 2.99595031f})));
  CHECK_THAT(nn::activate(x, nn::Activation::gelu_tanh), close_to(Tensor::vector({-0.15880801f, 2.99636261f})));
  CHECK_THAT(nn::activate(x, nn::Activation::swish), close_to(Tensor::vector({-0.26894142f, 2.85772238f})));
}

TEST_CASE("feed forward: tokens do not see each other", "[nn]") {
  nn::FeedForward layer;
  layer.up = {random_tensor({4, 6}, 1), random_tensor({6}, 2)};
  layer.down = {random_tensor({6, 4}, 3), random_tensor({4}, 4)};
  layer.activation = nn::Activation::gelu_tanh;
  const Tensor x = random_tensor({5, 4}, 5);
  const Tensor all = layer.forward(x);
  for (std::int64_t t = 0; t < 5; ++t) {
    CHECK_THAT(layer.forward(slice(x, 0, t, t + 1)), close_to(slice(all, 0, t, t + 1)));
  }
}

TEST_CASE("feed forward: shapes that disagree are named", "[nn]") {
  nn::FeedForward layer;
  layer.up = {Tensor::zeros({2, 3}), {}};
  layer.down = {Tensor::zeros({4, 2}), {}};
  CHECK(error_of([&] {
          return layer.forward(Tensor::zeros({1, 2}));
        }) == "shape: linear: x [1, 3] does not fit weight [in, out] [4, 2]");
}
