// SPDX-License-Identifier: MIT
// Optimisers on numbers that can be redone by hand, clipping, their state, and what they say no to.
#include "lookback/training/optimiser.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/reduce.hpp"
#include "lookback/training/checkpoint.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// theta^2 from theta = 1.
struct Square {
  Tensor theta = Tensor::vector({1});

  nn::Parameters parameters() { return {{"theta", &theta}}; }
  double step(Optimiser& optimiser, float rate = 0.1f) {
    Tape tape;
    tape.watch(theta);
    tape.backward(sum(multiply(theta, theta)));
    optimiser.step(parameters(), gradients_of(tape, parameters()), rate);
    return static_cast<double>(theta.item());
  }
};

}  // namespace

TEST_CASE("adam: three steps down a square", "[training]") {
  Square square;
  Optimiser optimiser{Adam{}};
  CHECK(is_close(square.step(optimiser), 0.9, kFloat32));
  CHECK(is_close(square.step(optimiser), 0.80041223, kFloat32));
  CHECK(is_close(square.step(optimiser), 0.70158627, kFloat32));
  CHECK(optimiser.state().steps == 3);
}

TEST_CASE("adam: a state that was saved goes on where it stood", "[training]") {
  Square square;
  Optimiser optimiser{Adam{}};
  square.step(optimiser);
  square.step(optimiser);
  Checkpoint saved{.kind = "test"};
  put_parameters(saved, square.parameters());
  put_optimiser(saved, square.parameters(), optimiser);

  const Checkpoint loaded = Checkpoint::read(saved.bytes(), "test");
  Square other;
  Optimiser resumed{Adam{}};
  take_parameters(loaded, other.parameters());
  resumed.restore(take_optimiser(loaded, other.parameters()));
  const double third = square.step(optimiser);
  CHECK(other.step(resumed) == third);
  // A fresh Adam would be at .70041223.
  CHECK(is_close(third, 0.70158627, kFloat32));
}

TEST_CASE("adam: the decay stands apart from the gradient, and spares biases and norms", "[training]") {
  Tensor weight = Tensor::matrix({{1}}), bias = Tensor::vector({1});
  const nn::Parameters parameters = {{"weight", &weight}, {"bias", &bias}};
  Optimiser optimiser{Adam{.weight_decay = 0.1f}};
  optimiser.step(parameters, {Tensor::zeros({1, 1}), Tensor::zeros({1})}, 0.1f);
  // With the decay in the gradient it would be .9.
  CHECK(is_close(static_cast<double>(weight.item()), 0.99, kFloat32));
  CHECK(bias.item() == 1.0f);
}

TEST_CASE("adam: no gradient moves nothing", "[training]") {
  Tensor weight = Tensor::matrix({{1, 2}});
  Optimiser optimiser{Adam{}};
  for (int i = 0; i < 3; ++i) optimiser.step({{"weight", &weight}}, {Tensor::zeros({1, 2})}, 0.1f);
  CHECK_THAT(weight, close_to(Tensor::matrix({{1, 2}}), kExact));
}

TEST_CASE("sgd: momentum by hand", "[training]") {
  Tensor x = Tensor::vector({1});
  Optimiser optimiser{Sgd{.momentum = 0.5f}};
  // v = 2, then 3, then 3.5.
  for (double expected : {0.8, 0.5, 0.15}) {
    optimiser.step({{"x", &x}}, {Tensor::vector({2})}, 0.1f);
    CHECK(is_close(static_cast<double>(x.item()), expected, kFloat32));
  }
  Optimiser plain{Sgd{}};
  plain.step({{"x", &x}}, {Tensor::vector({2})}, 0.25f);
  CHECK(is_close(static_cast<double>(x.item()), -0.35, kFloat32));
  CHECK(plain.state().moments.empty());
}

TEST_CASE("clip: the gradient is scaled to the limit, and left alone within it", "[training]") {
  const GradientList gradients = {Tensor::vector({3}), Tensor::matrix({{4}})};
  CHECK(global_norm(gradients) == 5.0f);
  CHECK(global_norm({}) == 0.0f);
  const auto factor = static_cast<double>(clip_factor(5.0f, 1.0f));
  CHECK_THAT(std::vector<double>({3 * factor, 4 * factor}), close_to({0.6, 0.8}, {1e-6, 0.0}));
  CHECK(clip_factor(0.5f, 1.0f) == 1.0f);
  CHECK(clip_factor(0.0f, 1.0f) == 1.0f);
  CHECK(clip_factor(1e30f, 0.0f) == 1.0f);
  CHECK(std::isnan(global_norm({Tensor::vector({1, kNan})})));
  CHECK(global_norm({Tensor::vector({kInfinity})}) == kInfinity);
  CHECK(is_close(static_cast<double>(global_norm({Tensor::full({4}, 1e30f)})), 2e30, {0.0, 1e-6}));
}

TEST_CASE("optimiser: the factor scales the gradient", "[training]") {
  for (bool is_adam : {false, true}) {
    Tensor a = Tensor::vector({1, 2}), b = a;
    const auto make = [&] { return is_adam ? Optimiser(Adam{.epsilon = 1.0f}) : Optimiser(Sgd{}); };
    Optimiser scaled = make(), plain = make();
    scaled.step({{"a", &a}}, {Tensor::vector({2, -4})}, 0.1f, 0.25f);
    plain.step({{"b", &b}}, {Tensor::vector({0.5f, -1})}, 0.1f);
    CHECK_THAT(a, close_to(b, kExact));
  }
}

TEST_CASE("optimiser: who else holds the numbers keeps them", "[training]") {
  Tensor x = Tensor::vector({1});
  const Tensor held = x;
  Optimiser optimiser{Adam{}};
  optimiser.step({{"x", &x}}, {Tensor::vector({1})}, 0.1f);
  CHECK(held.item() == 1.0f);
  const Tensor moment = optimiser.state().moments[0];
  const float before = moment.item();
  optimiser.step({{"x", &x}}, {Tensor::vector({1})}, 0.1f);
  CHECK(moment.item() == before);
}

TEST_CASE("optimiser: gradients of parameters that the loss does not depend on are zeros", "[training]") {
  Tensor used = Tensor::vector({1}), unused = Tensor::vector({5, 6});
  Tape tape;
  tape.watch(used);
  tape.watch(unused);
  tape.backward(sum(used));
  const GradientList gradients = gradients_of(tape, {{"used", &used}, {"unused", &unused}});
  REQUIRE(gradients.size() == 2);
  CHECK_THAT(gradients[1], close_to(Tensor::zeros({2}), kExact));
}

TEST_CASE("optimiser: what does not fit is named, and nothing has changed", "[training]") {
  Tensor x = Tensor::vector({1});
  const nn::Parameters parameters = {{"x", &x}};
  Optimiser optimiser{Adam{}};
  CHECK(error_of([&] { return optimiser.step(parameters, {}, 0.1f), 0; }).find("shape: optimiser: 0 gradients") == 0);
  CHECK(error_of([&] {
          return optimiser.step(parameters, {Tensor::zeros({2})}, 0.1f), 0;
        }).find("shape: optimiser: x [1] and its gradient [2]") == 0);
  for (float rate : {-0.1f, kNan, kInfinity}) {
    CHECK(error_of([&] {
            return optimiser.step(parameters, {Tensor::zeros({1})}, rate), 0;
          }).find("value: optimiser: the learning rate must be finite and not negative, got ") == 0);
  }
  CHECK(optimiser.state().steps == 0);
  CHECK(optimiser.state().moments.empty());
  optimiser.restore({.steps = 1, .moments = {Tensor::zeros({2}), Tensor::zeros({2})}});
  CHECK(error_of([&] { return optimiser.step(parameters, {Tensor::zeros({1})}, 0.1f), 0; }).find("shape: ") == 0);
  optimiser.restore({.steps = 1, .moments = {Tensor::zeros({1})}});
  CHECK(error_of([&] { return optimiser.step(parameters, {Tensor::zeros({1})}, 0.1f), 0; }).find("shape: ") == 0);
  CHECK(x.item() == 1.0f);
}

TEST_CASE("optimiser: options that make no sense are named", "[training]") {
  CHECK(error_of([] { return Optimiser(Sgd{.momentum = 1.0f}); }) == "value: optimiser: momentum 1 is not in [0, 1)");
  CHECK(error_of([] { return Optimiser(Adam{.beta1 = -0.5f}); }) == "value: optimiser: beta1 -0.5 is not in [0, 1)");
  CHECK(error_of([] { return Optimiser(Adam{.beta2 = kNan}); }).find("value: optimiser: beta2 ") == 0);
  CHECK(error_of([] { return Optimiser(Adam{.epsilon = 0.0f}); }) ==
        "value: optimiser: epsilon must be above 0, got 0");
  CHECK(error_of([] { return Optimiser(Adam{.weight_decay = -1.0f}); }) ==
        "value: optimiser: weight decay must not be negative, got -1");
}
