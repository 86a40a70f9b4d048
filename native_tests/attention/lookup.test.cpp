// SPDX-License-Identifier: MIT
// Scores become weights, weights read the values: soft, hard, masked and tempered.
#include "lookback/attention/lookup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <limits>

#include "lookback/attention/score.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {
const Tensor kAnnotations = Tensor::matrix({{1, 0}, {0, 1}, {-1, 0}});
const Tensor kEye = Tensor::matrix({{1, 0}, {0, 1}});
constexpr float kDropped = -std::numeric_limits<float>::infinity();

Tensor additive_example() {
  return additive_scores(Tensor::vector({1, 0}), kAnnotations, {kEye, kEye, Tensor::vector({1, 1}), {}}).scores;
}
}  // namespace

TEST_CASE("lookup: the lesson's example, the second word wins under additive scores", "[attention]") {
  const Lookup reading = lookup(additive_example(), kAnnotations);
  CHECK_THAT(reading.weights, close_to(Tensor::vector({0.319f, 0.559f, 0.122f}), kThreeDigits));
  CHECK_THAT(reading.context, close_to(Tensor::vector({0.198f, 0.559f}), kThreeDigits));
}

TEST_CASE("lookup: the lesson's example, the first word wins under dot scores", "[attention]") {
  const Lookup reading = lookup(dot_scores(Tensor::vector({1, 0}), kAnnotations), kAnnotations);
  CHECK_THAT(reading.weights, close_to(Tensor::vector({0.66524096f, 0.24472847f, 0.09003057f})));
  CHECK_THAT(reading.context, close_to(Tensor::vector({0.57521039f, 0.24472847f})));
}

TEST_CASE("lookup: additive weights with and without a bias", "[attention]") {
  const Tensor keys = Tensor::matrix({{1, 0}, {0, 1}, {2, 2}});
  AdditiveWeights weights{kEye, scale(kEye, 0.5f), Tensor::vector({1, 2}), {}};
  const auto read = [&] {
    return lookup(additive_scores(Tensor::vector({1, -1}), keys, weights).scores, keys).weights;
  };
  CHECK_THAT(read(), close_to(Tensor::vector({0.13437594f, 0.2118845f, 0.65373956f})));
  weights.bias = Tensor::vector({0.3f, -0.2f});
  CHECK_THAT(read(), close_to(Tensor::vector({0.16277053f, 0.23647257f, 0.6007569f})));
}

TEST_CASE("lookup: masked padding changes nothing", "[attention]") {
  const Tensor values = Tensor::matrix({{10, 1}, {20, 2}});
  const Lookup alone = lookup(Tensor::vector({1, 2}), values);
  const Lookup padded = lookup(Tensor::vector({1, 2, 3}), Tensor::matrix({{10, 1}, {20, 2}, {99, 99}}),
                               {.mask = Mask::keep(Tensor::vector({1, 1, 0}))});
  CHECK_THAT(alone.weights, close_to(Tensor::vector({0.26894142f, 0.73105858f})));
  CHECK_THAT(padded.weights, close_to(Tensor::vector({0.26894142f, 0.73105858f, 0})));
  CHECK_THAT(padded.masked_scores, close_to(Tensor::vector({1, 2, kDropped}), kExact));
  CHECK_THAT(padded.context, close_to(alone.context, kExact));
}

TEST_CASE("lookup: all masked reads nothing, softly and hard", "[attention]") {
  const bool is_hard = GENERATE(false, true);
  const Lookup reading =
      lookup(Tensor::vector({1, 2}), kEye, {.mask = Mask::ignore(Tensor::vector({1, 1})), .is_hard = is_hard});
  CHECK_THAT(reading.weights, close_to(Tensor::vector({0, 0}), kExact));
  CHECK_THAT(reading.context, close_to(Tensor::vector({0, 0}), kExact));
}

TEST_CASE("lookup: the temperature divides the scores", "[attention]") {
  const Tensor scores = Tensor::vector({1, 3});
  CHECK_THAT(lookup(scores, kEye, {.temperature = 2}).weights, close_to(Tensor::vector({0.26894142f, 0.73105858f})));
  CHECK_THAT(lookup(scores, kEye, {.temperature = 0.5f}).weights, close_to(Tensor::vector({0.01798621f, 0.98201379f})));
  CHECK_THAT(lookup(scores, kEye, {.temperature = 1e-40f}).weights, close_to(Tensor::vector({0, 1}), kExact));
  CHECK_THAT(lookup(scores, kEye, {.temperature = 1e30f}).weights, close_to(Tensor::vector({0.5f, 0.5f})));
}

TEST_CASE("lookup: hard takes the highest, the first on a tie, and heeds the mask", "[attention]") {
  const Tensor scores = Tensor::matrix({{1, 5, 5}, {7, 5, 6}});
  const Tensor values = Tensor::matrix({{10}, {20}, {30}});
  CHECK_THAT(lookup(scores, values, {.is_hard = true}).context, close_to(Tensor::matrix({{20}, {10}}), kExact));
  const LookupOptions masked{.mask = Mask::keep(Tensor::vector({0, 1, 1})), .is_hard = true};
  CHECK_THAT(lookup(scores, values, masked).context, close_to(Tensor::matrix({{20}, {30}}), kExact));
}

TEST_CASE("lookup: rows sum to 1, and permuting scores with values changes nothing", "[attention]") {
  const Tensor scores = random_tensor({4, 3}, 1);
  const Tensor values = random_tensor({3, 2}, 2);
  const Lookup reading = lookup(scores, values);
  const auto rotated = [](const Tensor& x, int axis) {
    return concat({slice(x, axis, 2, 3), slice(x, axis, 0, 2)}, axis);
  };
  const Lookup permuted = lookup(rotated(scores, 1), rotated(values, 0));
  CHECK_THAT(permuted.weights, close_to(rotated(reading.weights, 1)));
  CHECK_THAT(permuted.context, close_to(reading.context));
  for (std::int64_t t = 0; t < 4; ++t) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < 3; ++j) sum += static_cast<double>(reading.weights.data()[t * 3 + j]);
    CHECK(is_close(sum, 1.0, kFloat32));
  }
}

TEST_CASE("lookup: no keys read zeros", "[attention]") {
  CHECK_THAT(lookup(Tensor::zeros({0}), Tensor::zeros({0, 2})).context, close_to(Tensor::vector({0, 0}), kExact));
}

TEST_CASE("lookup: wrong shapes and temperatures are named", "[attention]") {
  CHECK(error_of([] {
          return lookup(Tensor::zeros({3}), Tensor::zeros({2, 4}));
        }) == "shape: lookup: scores [.., S] [3] and values [S, Dv] [2, 4] disagree on S");
  CHECK(error_of([] { return lookup(Tensor::zeros({3}), Tensor::zeros({3})); }) ==
        "shape: lookup: scores [.., S] [3] and values [S, Dv] [3] disagree on S");
  for (bool is_hard : {false, true}) {
    CHECK(error_of([&] { return lookup(Tensor::zeros({2}), kEye, {.temperature = 0, .is_hard = is_hard}); }) ==
          "value: softmax: the temperature must be above 0 and finite, got 0");
  }
}
