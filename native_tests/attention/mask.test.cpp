// SPDX-License-Identifier: MIT
// Masks typed by name, and rules about positions.
#include "lookback/attention/mask.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

constexpr float kDropped = -std::numeric_limits<float>::infinity();

/// Which keys the rule lets a query see: 1 or 0.
Tensor seen(const PositionRule& rule, Shape shape) {
  const Tensor scores = rule.apply(Tensor::zeros(shape));
  TensorBuilder result(scores.shape());
  for (std::int64_t i = 0; i < scores.size(); ++i) result.data()[i] = scores.data()[i] == kDropped ? 0.0f : 1.0f;
  return std::move(result).build();
}

}  // namespace

TEST_CASE("mask: keep and ignore are opposites", "[attention]") {
  const Tensor scores = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  const Tensor bits = Tensor::vector({1, 1, 0});
  CHECK_THAT(Mask::keep(bits).apply(scores), close_to(Tensor::matrix({{1, 2, kDropped}, {4, 5, kDropped}}), kExact));
  CHECK_THAT(Mask::ignore(bits).apply(scores),
             close_to(Tensor::matrix({{kDropped, kDropped, 3}, {kDropped, kDropped, 6}}), kExact));
  CHECK_THAT(Mask().apply(scores), close_to(scores, kExact));
}

TEST_CASE("mask: a dropped score is gone whatever it was", "[attention]") {
  const Tensor scores = Tensor::vector({NAN, -kDropped, 1});
  CHECK_THAT(Mask::keep(Tensor::vector({0, 0, 1})).apply(scores),
             close_to(Tensor::vector({kDropped, kDropped, 1}), kExact));
  CHECK_THAT(Mask::bias(Tensor::vector({kDropped, kDropped, 1})).apply(scores),
             close_to(Tensor::vector({kDropped, kDropped, 2}), kExact));
}

TEST_CASE("mask: a bias is added as it is", "[attention]") {
  CHECK_THAT(Mask::bias(Tensor::vector({1, 0, -2})).apply(Tensor::vector({5, 6, 7})),
             close_to(Tensor::vector({6, 6, 5}), kExact));
}

TEST_CASE("mask: numbers to be added are refused as keep or ignore", "[attention]") {
  CHECK(error_of([] {
          return Mask::keep(Tensor::vector({0, 0.5f}));
        }) == "value: mask: `keep` holds only 0 and 1, found 0.5; numbers to be added go in `bias`");
  CHECK(error_of([] {
          return Mask::ignore(Tensor::vector({0, kDropped}));
        }) == "value: mask: `ignore` holds only 0 and 1, found -inf; numbers to be added go in `bias`");
  CHECK(error_of([] { return Mask::keep(Tensor::vector({NAN})); }).find("value: mask: `keep` holds only 0 and 1") == 0);
}

TEST_CASE("mask: a bias is finite or -infinity", "[attention]") {
  CHECK(error_of([] { return Mask::bias(Tensor::vector({-kDropped})); }) ==
        "value: mask: `bias` holds inf; finite numbers or -infinity");
  CHECK(error_of([] { return Mask::bias(Tensor::vector({NAN})); }).find("value: mask: `bias` holds ") == 0);
  CHECK(error_of([] { return Mask::bias(Tensor::vector({0, kDropped})); }) == "no error");
}

TEST_CASE("mask: broadcasts to the scores, never wider", "[attention]") {
  const Tensor scores = Tensor::zeros({2, 3});
  CHECK_THAT(Mask::keep(Tensor::matrix({{1}, {0}})).apply(scores),
             close_to(Tensor::matrix({{0, 0, 0}, {kDropped, kDropped, kDropped}}), kExact));
  CHECK(error_of([&] {
          return Mask::keep(Tensor::zeros({1, 2, 3})).apply(scores);
        }) == "shape: mask: shape [1, 2, 3] does not broadcast to the scores' [2, 3]");
  CHECK(error_of([&] { return Mask::bias(Tensor::zeros({2})).apply(scores); }) ==
        "shape: mask: shapes [2, 3] and [2] do not broadcast (3 against 2)");
}

TEST_CASE("causal: the last query sees every key, top-left when named", "[attention]") {
  CHECK_THAT(seen({.causal = Causal::bottom_right}, {2, 4}),
             close_to(Tensor::matrix({{1, 1, 1, 0}, {1, 1, 1, 1}}), kExact));
  CHECK_THAT(seen({.causal = Causal::top_left}, {2, 4}),
             close_to(Tensor::matrix({{1, 0, 0, 0}, {1, 1, 0, 0}}), kExact));
  CHECK_THAT(seen({.causal = Causal::bottom_right}, {4, 2}),
             close_to(Tensor::matrix({{0, 0}, {0, 0}, {1, 0}, {1, 1}}), kExact));
  CHECK_THAT(seen({.causal = Causal::none}, {2, 2}), close_to(Tensor::matrix({{1, 1}, {1, 1}}), kExact));
}

TEST_CASE("causal: a query position given overrides both alignments", "[attention]") {
  for (Causal causal : {Causal::bottom_right, Causal::top_left}) {
    CHECK_THAT(seen({.causal = causal, .query_position = 1}, {2, 4}),
               close_to(Tensor::matrix({{1, 1, 0, 0}, {1, 1, 1, 0}}), kExact));
  }
}

TEST_CASE("window: counted from the query's own position", "[attention]") {
  CHECK_THAT(seen({.window_left = 1, .window_right = 0}, {3, 3}),
             close_to(Tensor::matrix({{1, 0, 0}, {1, 1, 0}, {0, 1, 1}}), kExact));
  CHECK_THAT(seen({.window_left = 0, .window_right = 1}, {3, 3}),
             close_to(Tensor::matrix({{1, 1, 0}, {0, 1, 1}, {0, 0, 1}}), kExact));
  CHECK_THAT(seen({.causal = Causal::bottom_right, .window_left = 1}, {2, 4}),
             close_to(Tensor::matrix({{0, 1, 1, 0}, {0, 0, 1, 1}}), kExact));
}

TEST_CASE("window: as wide as the keys is no window", "[attention]") {
  const PositionRule causal{.causal = Causal::bottom_right};
  const PositionRule wide{.causal = Causal::bottom_right, .window_left = 4, .window_right = 4};
  CHECK_THAT(seen(wide, {3, 5}), close_to(seen(causal, {3, 5}), kExact));
}

TEST_CASE("valid lengths: keys beyond an item's length are dropped, causal aligns to it", "[attention]") {
  CHECK_THAT(seen({.valid_lengths = {1, 3, 0}}, {3, 1, 1, 3}),
             close_to(Tensor(Shape{3, 1, 1, 3}, {1, 0, 0, 1, 1, 1, 0, 0, 0}), kExact));
  CHECK_THAT(seen({.causal = Causal::bottom_right, .valid_lengths = {4, 2}}, {2, 1, 2, 5}),
             close_to(Tensor(Shape{2, 1, 2, 5}, {1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0}), kExact));
  // Every head of an item has the item's length.
  CHECK_THAT(seen({.valid_lengths = {1, 2}}, {2, 2, 1, 2}),
             close_to(Tensor(Shape{2, 2, 1, 2}, {1, 0, 1, 0, 1, 1, 1, 1}), kExact));
}

TEST_CASE("position rule: what it keeps it leaves alone", "[attention]") {
  const Tensor scores = Tensor::matrix({{1, 2}, {3, 4}});
  CHECK_THAT(PositionRule{.causal = Causal::top_left}.apply(scores),
             close_to(Tensor::matrix({{1, kDropped}, {3, 4}}), kExact));
  CHECK(PositionRule{}.is_trivial());
  CHECK(PositionRule{}.apply(scores).data() == scores.data());
  CHECK_FALSE(PositionRule{.window_right = 3}.is_trivial());
}

TEST_CASE("position rule: no queries and no keys", "[attention]") {
  const PositionRule rule{.causal = Causal::bottom_right, .window_left = 1, .valid_lengths = {0}};
  CHECK(rule.apply(Tensor::zeros({1, 2, 3, 0})).shape() == Shape{1, 2, 3, 0});
  CHECK(rule.apply(Tensor::zeros({1, 2, 0, 4})).shape() == Shape{1, 2, 0, 4});
  const PositionRule causal{.causal = Causal::bottom_right};
  CHECK(causal.apply(Tensor::zeros({0, 2, 3, 4})).shape() == Shape{0, 2, 3, 4});
}

TEST_CASE("position rule: lengths and windows out of range are named", "[attention]") {
  const auto error = [](const PositionRule& rule, Shape shape) {
    return error_of([&] { return rule.apply(Tensor::zeros(shape)); });
  };
  CHECK(error({.window_left = -1}, {2, 2}) == "range: mask: windows must be 0 or more, got -1 and 9223372036854775807");
  CHECK(error({.valid_lengths = {1, 2}}, {3, 1, 1, 4}) ==
        "shape: mask: 2 valid lengths for 3 batch items, scores [3, 1, 1, 4]");
  CHECK(error({.valid_lengths = {5}}, {1, 1, 1, 4}) == "range: mask: valid length 5 is outside [0, 4]");
  CHECK(error({.valid_lengths = {-1}}, {1, 1, 1, 4}) == "range: mask: valid length -1 is outside [0, 4]");
  CHECK(error({.valid_lengths = {5}}, {1, 1, 0, 4}) == "range: mask: valid length 5 is outside [0, 4]");
  CHECK(error({.valid_lengths = {5}}, {1, 1, 2, 0}) == "range: mask: valid length 5 is outside [0, 0]");
}
