// SPDX-License-Identifier: MIT
// Score functions against numbers by hand, and shapes that disagree.
#include "lookback/attention/score.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

const Tensor kEye = Tensor::matrix({{1, 0}, {0, 1}});
// Papers write columns and W x; rows take the transpose.
const Tensor kQuery = Tensor::vector({1, -1});
const Tensor kKeys = Tensor::matrix({{1, 0}, {0, 1}, {2, 2}});

AdditiveWeights random_weights(std::int64_t query_dim, std::int64_t key_dim, std::int64_t hidden) {
  return {random_tensor({query_dim, hidden}, 1), random_tensor({key_dim, hidden}, 2), random_tensor({hidden}, 3),
          random_tensor({hidden}, 4)};
}

}  // namespace

TEST_CASE("scores: the lesson's example, where additive and dot scores choose different words", "[attention]") {
  const Tensor state = Tensor::vector({1, 0});
  const Tensor annotations = Tensor::matrix({{1, 0}, {0, 1}, {-1, 0}});
  const AdditiveScores additive = additive_scores(state, annotations, {kEye, kEye, Tensor::vector({1, 1}), {}});
  CHECK_THAT(additive.scores, close_to(Tensor::vector({0.964f, 1.523f, 0}), kThreeDigits));
  CHECK_THAT(additive.query_projection, close_to(state, kExact));
  CHECK_THAT(additive.key_projection, close_to(annotations, kExact));
  CHECK_THAT(additive.hidden, close_to(Tensor::matrix({{0.964f, 0}, {0.762f, 0.762f}, {0, 0}}), kThreeDigits));
  CHECK_THAT(dot_scores(state, annotations), close_to(Tensor::vector({1, 0, -1}), kExact));
}

TEST_CASE("additive: v . tanh(query W + key U + b), the bias inside", "[attention]") {
  const Tensor half = Tensor::matrix({{0.5f, 0}, {0, 0.5f}});
  AdditiveWeights weights{kEye, half, Tensor::vector({1, 2}), {}};
  CHECK_THAT(additive_scores(kQuery, kKeys, weights).scores,
             close_to(Tensor::vector({-0.61804006f, -0.16264016f, 0.96402758f})));
  weights.bias = Tensor::vector({0.3f, -0.2f});
  CHECK_THAT(additive_scores(kQuery, kKeys, weights).scores,
             close_to(Tensor::vector({-0.7205032f, -0.34701239f, 0.58534576f})));
}

TEST_CASE("additive: many queries and a batch give what each gives alone", "[attention]") {
  const AdditiveWeights weights = random_weights(3, 4, 5);
  const Tensor queries = random_tensor({2, 6, 3}, 5);
  const Tensor keys = random_tensor({2, 7, 4}, 6);
  const AdditiveScores all = additive_scores(queries, keys, weights);
  REQUIRE(all.scores.shape() == Shape{2, 6, 7});
  REQUIRE(all.hidden.shape() == Shape{2, 6, 7, 5});
  for (std::int64_t b = 0; b < 2; ++b) {
    const Tensor own_keys = slice(keys, 0, b, b + 1).reshape({7, 4});
    for (std::int64_t t = 0; t < 6; ++t) {
      const Tensor query = slice(slice(queries, 0, b, b + 1), 1, t, t + 1).reshape({3});
      CHECK_THAT(additive_scores(query, own_keys, weights).scores,
                 close_to(slice(slice(all.scores, 0, b, b + 1), 1, t, t + 1).reshape({7})));
    }
  }
}

TEST_CASE("additive: keys projected before give the same scores", "[attention]") {
  const AdditiveWeights weights = random_weights(3, 4, 5);
  const Tensor query = random_tensor({2, 3}, 5);
  const Tensor keys = random_tensor({7, 4}, 6);
  const Tensor projected = matmul(keys, weights.key_weight);
  CHECK_THAT(additive_scores_projected(query, projected, weights).scores,
             close_to(additive_scores(query, keys, weights).scores, kExact));
}

TEST_CASE("general: query W key, not key W query", "[attention]") {
  CHECK_THAT(general_scores(kQuery, kKeys, Tensor::matrix({{1, 2}, {0, 1}})),
             close_to(Tensor::vector({1, 1, 4}), kExact));
  CHECK_THAT(general_scores(kQuery, kKeys, kEye), close_to(dot_scores(kQuery, kKeys), kExact));
}

TEST_CASE("general: queries and keys of different widths", "[attention]") {
  const Tensor weight = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  CHECK_THAT(general_scores(Tensor::matrix({{1, 0}, {0, 1}}), Tensor::matrix({{1, 10, 100}}), weight),
             close_to(Tensor::matrix({{321}, {654}}), kExact));
}

TEST_CASE("concat: v . tanh([query; key] W), query first", "[attention]") {
  const Tensor weight = Tensor::matrix({{0.5f, 1}, {-0.5f, 0}, {0.25f, -1}, {0, 0.5f}});
  CHECK_THAT(concat_scores(kQuery, kKeys, weight, Tensor::vector({1, 2})),
             close_to(Tensor::vector({0.84828364f, 2.57189066f, 0.90514825f})));
}

TEST_CASE("concat: is additive with the weight cut in two", "[attention]") {
  const Tensor weight = random_tensor({3 + 4, 5}, 7);
  const Tensor vector = random_tensor({5}, 8);
  const Tensor queries = random_tensor({6, 3}, 9);
  const Tensor keys = random_tensor({7, 4}, 10);
  const AdditiveWeights halves{slice(weight, 0, 0, 3), slice(weight, 0, 3, 7), vector, {}};
  CHECK_THAT(concat_scores(queries, keys, weight, vector), close_to(additive_scores(queries, keys, halves).scores));
}

TEST_CASE("scores: permuting the keys permutes the scores", "[attention]") {
  const int kind = GENERATE(0, 1, 2, 3);
  const Tensor queries = random_tensor({2, 4}, 11);
  const Tensor keys = random_tensor({3, 4}, 12);
  const Tensor swapped = concat({slice(keys, 0, 2, 3), slice(keys, 0, 0, 2)}, 0);
  const auto scores = [&](const Tensor& k) {
    if (kind == 0) return dot_scores(queries, k);
    if (kind == 1) return general_scores(queries, k, random_tensor({4, 4}, 13));
    if (kind == 2) return concat_scores(queries, k, random_tensor({8, 4}, 14), random_tensor({4}, 15));
    return additive_scores(queries, k, random_weights(4, 4, 5)).scores;
  };
  const Tensor before = scores(keys);
  CHECK_THAT(scores(swapped), close_to(concat({slice(before, 1, 2, 3), slice(before, 1, 0, 2)}, 1)));
}

TEST_CASE("scores: no keys and no queries", "[attention]") {
  CHECK(dot_scores(Tensor::zeros({4}), Tensor::zeros({0, 4})).shape() == Shape{0});
  CHECK(dot_scores(Tensor::zeros({0, 4}), Tensor::zeros({3, 4})).shape() == Shape{0, 3});
  CHECK(additive_scores(Tensor::zeros({2, 3}), Tensor::zeros({0, 4}), random_weights(3, 4, 5)).scores.shape() ==
        Shape{2, 0});
}

TEST_CASE("scores: shapes that disagree name the argument and both shapes", "[attention]") {
  const Tensor query = Tensor::zeros({3});
  const Tensor keys = Tensor::zeros({5, 4});
  CHECK(error_of([&] { return dot_scores(query, keys); }) ==
        "shape: dot: query [3] and keys [5, 4] must have the same width");
  CHECK(error_of([&] { return dot_scores(Tensor::scalar(1), keys); }) ==
        "shape: dot: query must be [Dq] or [T, Dq] and keys [S, Dk], got [] and [5, 4]");
  CHECK(error_of([&] {
          return general_scores(query, keys, Tensor::zeros({4, 4}));
        }) == "shape: general: query [3] times W_a [Dq, Dk] [4, 4] does not fit (width 3)");
  CHECK(error_of([&] {
          return general_scores(query, keys, Tensor::zeros({3, 2}));
        }) == "shape: general: W_a [3, 2] does not lead to keys [5, 4]");
  CHECK(error_of([&] {
          return concat_scores(query, keys, Tensor::zeros({6, 2}), Tensor::zeros({2}));
        }) == "shape: concat: W_a must be [Dq + Dk, N], got [6, 2] for query [3] and keys [5, 4]");
  CHECK(error_of([&] {
          return concat_scores(query, keys, Tensor::zeros({7, 2}), Tensor::zeros({3}));
        }) == "shape: concat: hidden widths differ: query part [2], key part [5, 2], v_a [3]");
}

TEST_CASE("additive: shapes that disagree name the weight", "[attention]") {
  const Tensor query = Tensor::zeros({3});
  const Tensor keys = Tensor::zeros({5, 4});
  const Tensor good_query_weight = Tensor::zeros({3, 2});
  const Tensor good_key_weight = Tensor::zeros({4, 2});
  const auto error = [&](const AdditiveWeights& weights) {
    return error_of([&] { return additive_scores(query, keys, weights); });
  };
  CHECK(error({Tensor::zeros({2, 2}), good_key_weight, Tensor::zeros({2}), {}}) ==
        "shape: additive: query [3] times W_a [Dq, N] [2, 2] does not fit (width 3)");
  CHECK(error({good_query_weight, Tensor::zeros({3, 2}), Tensor::zeros({2}), {}}) ==
        "shape: additive: keys [5, 4] times U_a [Dk, N] [3, 2] does not fit (width 4)");
  CHECK(error({good_query_weight, Tensor::zeros({4, 6}), Tensor::zeros({2}), {}}) ==
        "shape: additive: hidden widths differ: query part [2], key part [5, 6], v_a [2]");
  CHECK(error({good_query_weight, good_key_weight, Tensor::zeros({2}), Tensor::zeros({3})}) ==
        "shape: additive: hidden widths differ: query part [2], key part [5, 2], v_a [2], b_a [3]");
}
