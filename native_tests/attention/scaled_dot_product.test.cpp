// SPDX-License-Identifier: MIT
// Scaled dot-product attention against numbers by hand and the double reference.
#include "lookback/attention/scaled_dot_product.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "lookback/kernels/reference/attention.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

constexpr float kDropped = -std::numeric_limits<float>::infinity();
const Tensor kEye = Tensor::matrix({{1, 0}, {0, 1}});

Tensor column(std::vector<float> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return Tensor(Shape{count, 1}, std::move(values));
}

/// Equal scores for every query, so that each row is the average of the values it may see.
ScaledDotProduct averages(std::int64_t queries, const Tensor& values, const ScaledDotProductOptions& options = {}) {
  return scaled_dot_product(Tensor::zeros({queries, 1}), Tensor::zeros({values.dim(0), 1}), values, options);
}

}  // namespace

TEST_CASE("attention: a fully masked row gives zero weights and output, the other row by hand", "[attention]") {
  const ScaledDotProduct result = scaled_dot_product(kEye, kEye, Tensor::matrix({{1, 2}, {3, 4}}),
                                                     {.mask = Mask::keep(Tensor::matrix({{0, 0}, {1, 1}}))});
  CHECK_THAT(result.weights, close_to(Tensor::matrix({{0, 0}, {0.33023845f, 0.66976155f}})));
  CHECK_THAT(result.output, close_to(Tensor::matrix({{0, 0}, {2.3395231f, 3.3395231f}})));
}

TEST_CASE("attention: keep and ignore are opposites, a bias is added", "[attention]") {
  const Tensor values = column({1, 10, 100});
  const Tensor bits = Tensor::vector({1, 1, 0});
  CHECK_THAT(averages(1, values, {.mask = Mask::keep(bits)}).output, close_to(column({5.5f})));
  CHECK_THAT(averages(1, values, {.mask = Mask::ignore(bits)}).output, close_to(column({100})));
  CHECK_THAT(averages(1, values, {.mask = Mask::keep(bits)}).weights,
             close_to(Tensor::matrix({{0.5f, 0.5f, 0}}), kExact));
  CHECK_THAT(averages(1, values, {.mask = Mask::bias(bits)}).weights,
             close_to(Tensor::matrix({{0.4223188f, 0.4223188f, 0.1553624f}})));
  CHECK_THAT(averages(1, column({1, 2}), {.mask = Mask::keep(Tensor::vector({1, 0}))}).weights,
             close_to(Tensor::matrix({{1, 0}}), kExact));
}

TEST_CASE("attention: causal aligns bottom-right, top-left when named", "[attention]") {
  const auto run = [](std::int64_t queries, std::vector<float> values, Causal causal) {
    return averages(queries, column(std::move(values)), {.positions = {.causal = causal}}).output;
  };
  CHECK_THAT(run(2, {0, 1, 2, 3, 4}, Causal::bottom_right), close_to(column({1.5f, 2})));
  CHECK_THAT(run(2, {0, 1, 2, 3, 4}, Causal::top_left), close_to(column({0, 0.5f})));
  CHECK_THAT(run(5, {0, 1}, Causal::bottom_right), close_to(column({0, 0, 0, 0, 0.5f})));
  CHECK_THAT(run(1, {0, 1, 2, 3, 4}, Causal::bottom_right), close_to(column({2})));
}

TEST_CASE("attention: causal and padding hold together", "[attention]") {
  const Tensor values = column({0, 3, 6});
  ScaledDotProductOptions options{.positions = {.causal = Causal::bottom_right}};
  CHECK_THAT(averages(3, values, options).output, close_to(column({0, 1.5f, 3})));
  options.mask = Mask::keep(Tensor::vector({0, 1, 1}));
  const ScaledDotProduct padded = averages(3, values, options);
  CHECK_THAT(padded.output, close_to(column({0, 3, 4.5f})));
  CHECK_THAT(padded.weights, close_to(Tensor::matrix({{0, 0, 0}, {0, 1, 0}, {0, 0.5f, 0.5f}}), kExact));
}

TEST_CASE("attention: a cross-attention's key mask hides its padding from every query", "[attention]") {
  const Mask memory = Mask::keep(Tensor::vector({1, 1, 1, 0, 0}));
  CHECK_THAT(averages(3, column({0, 1, 2, 3, 4}), {.mask = memory}).output, close_to(column({1, 1, 1})));
}

TEST_CASE("attention: the scale is 1 / sqrt(head width), once", "[attention]") {
  const Tensor query = Tensor::matrix({{2, 0, 0, 0}});
  const Tensor keys = Tensor::matrix({{2, 0, 0, 0}, {0, 1, 0, 0}});
  CHECK_THAT(scaled_dot_product(query, keys, keys).weights, close_to(Tensor::matrix({{0.88079708f, 0.11920292f}})));
  CHECK_THAT(scaled_dot_product(query, keys, keys).scores, close_to(Tensor::matrix({{2, 0}}), kExact));
  CHECK_THAT(scaled_dot_product(query, keys, keys, {.scale = 1.0f}).scores, close_to(Tensor::matrix({{4, 0}}), kExact));
}

TEST_CASE("attention: large logits stay finite", "[attention]") {
  const Tensor key_signs = Tensor::matrix({{40}, {-40}});
  TensorBuilder keys(Shape{2, 64});
  for (std::int64_t i = 0; i < 128; ++i) keys.data()[i] = key_signs.data()[i / 64];
  const auto result = scaled_dot_product(Tensor::full({1, 64}, 40), std::move(keys).build(), column({1, 2}));
  CHECK_THAT(result.scores, close_to(Tensor::matrix({{12800, -12800}})));
  CHECK_THAT(result.weights, close_to(Tensor::matrix({{1, 0}}), kExact));
  const auto huge = scaled_dot_product(Tensor::full({1, 128}, 256), Tensor::full({1, 128}, 256), column({7}));
  CHECK_THAT(huge.scores, close_to(Tensor::matrix({{741455.2f}}), {0.0, 1e-6}));
  CHECK_THAT(huge.output, close_to(column({7}), kExact));
}

TEST_CASE("attention: a product that overflows only before the scale does not overflow", "[attention]") {
  const float big = 8e18f;
  const auto result = scaled_dot_product(Tensor::full({1, 16}, big), Tensor::full({1, 16}, big), column({7}));
  CHECK(std::isfinite(result.scores.item()));
}

TEST_CASE("attention: keys masked at the front", "[attention]") {
  const auto result = scaled_dot_product(column({1}), column({5, 5, 0, 1}), column({9, 9, 1, 3}),
                                         {.mask = Mask::keep(Tensor::vector({0, 0, 1, 1}))});
  CHECK_THAT(result.weights, close_to(Tensor::matrix({{0, 0, 0.26894142f, 0.73105858f}})));
  CHECK_THAT(result.output, close_to(column({2.4621172f})));
}

TEST_CASE("attention: every step can be looked at; the cap comes before the mask", "[attention]") {
  const auto result = scaled_dot_product(column({4}), column({1, 0}), column({1, 2}),
                                         {.scale = 0.5f, .soft_cap = 1.0f, .mask = Mask::keep(Tensor::vector({1, 0}))});
  CHECK_THAT(result.scores, close_to(Tensor::matrix({{2, 0}}), kExact));
  CHECK_THAT(result.capped_scores, close_to(Tensor::matrix({{0.96402758f, 0}})));
  CHECK_THAT(result.masked_scores, close_to(Tensor::matrix({{0.96402758f, kDropped}})));
  CHECK_THAT(result.weights, close_to(Tensor::matrix({{1, 0}}), kExact));
}

TEST_CASE("attention: a padding mask of each item serves all of its heads", "[attention]") {
  const Tensor values(Shape{2, 2, 2, 1}, {1, 3, 1, 3, 5, 7, 5, 7});
  const Tensor zeros = Tensor::zeros({2, 2, 2, 1});
  const Mask padding = Mask::keep(Tensor(Shape{2, 1, 1, 2}, {1, 0, 1, 1}));
  CHECK_THAT(scaled_dot_product(Tensor::zeros({2, 2, 1, 1}), zeros, values, {.mask = padding}).output,
             close_to(Tensor(Shape{2, 2, 1, 1}, {1, 1, 6, 6})));
}

TEST_CASE("attention: consecutive query heads share a key head", "[attention]") {
  const Tensor values(Shape{2, 1, 1}, {10, 20});
  CHECK_THAT(scaled_dot_product(Tensor::zeros({4, 1, 1}), Tensor::zeros({2, 1, 1}), values).output,
             close_to(Tensor(Shape{4, 1, 1}, {10, 10, 20, 20}), kExact));
}

TEST_CASE("attention: valid lengths and windows by item", "[attention]") {
  const Tensor values(Shape{2, 1, 5, 1}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
  const PositionRule lengths{.causal = Causal::bottom_right, .valid_lengths = {4, 2}};
  CHECK_THAT(
      scaled_dot_product(Tensor::zeros({2, 1, 2, 1}), Tensor::zeros({2, 1, 5, 1}), values, {.positions = lengths})
          .output,
      close_to(Tensor(Shape{2, 1, 2, 1}, {1, 1.5f, 0, 0.5f})));
  CHECK_THAT(averages(3, column({0, 2, 8}), {.positions = {.window_left = 1, .window_right = 0}}).output,
             close_to(column({0, 1, 5})));
}

TEST_CASE("attention: no queries give no rows, no keys give zeros", "[attention]") {
  const Tensor some = counted_tensor({3, 4});
  const Tensor none = Tensor::zeros({0, 4});
  CHECK(scaled_dot_product(none, some, some).output.shape() == Shape{0, 4});
  const ScaledDotProduct empty = scaled_dot_product(Tensor::full({2, 4}, 1), none, none);
  CHECK_THAT(empty.output, close_to(Tensor::zeros({2, 4}), kExact));
  CHECK(empty.weights.shape() == Shape{2, 0});
  const ScaledDotProductOptions causal{.positions = {.causal = Causal::bottom_right}};
  CHECK_THAT(scaled_dot_product(Tensor::full({2, 4}, 1), none, none, causal).output,
             close_to(Tensor::zeros({2, 4}), kExact));
  const Tensor no_batch = Tensor::zeros({0, 2, 3, 4});
  CHECK(scaled_dot_product(no_batch, no_batch, no_batch).output.shape() == Shape{0, 2, 3, 4});
}

TEST_CASE("attention: equals the double reference", "[attention][reference]") {
  const auto [heads, kv_heads, queries, keys, width] =
      GENERATE(table<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
          {{1, 1, 1, 1, 1}, {2, 2, 3, 5, 4}, {6, 2, 4, 4, 7}, {4, 1, 9, 17, 16}, {3, 3, 1, 33, 5}}));
  const std::int64_t value_width = width + 2;
  const double cap = GENERATE(0.0, 1.5);
  const Tensor q = random_tensor({heads, queries, width}, 1);
  const Tensor k = random_tensor({kv_heads, keys, width}, 2);
  const Tensor v = random_tensor({kv_heads, keys, value_width}, 3);
  const Tensor bias = random_tensor({heads, queries, keys}, 4);
  ScaledDotProductOptions options{.scale = 0.8f, .mask = Mask::bias(bias), .positions = {.causal = Causal::top_left}};
  if (cap > 0.0) options.soft_cap = static_cast<float>(cap);
  const ScaledDotProduct result = scaled_dot_product(q, k, v, options);
  const auto expected = kernels::reference::attention(
      q.data(), k.data(), v.data(), {heads, kv_heads, queries, keys, width, value_width, 0.8, cap},
      [&, num_queries = queries, num_keys = keys](std::int64_t h, std::int64_t t, std::int64_t j) {
        if (j > t) return -std::numeric_limits<double>::infinity();
        return static_cast<double>(bias.data()[(h * num_queries + t) * num_keys + j]);
      });
  CHECK_THAT(result.output.values(), close_to(expected.output));
  CHECK_THAT(result.weights.values(), close_to(expected.weights));
}

TEST_CASE("attention: shapes that disagree are named, all three", "[attention]") {
  const auto error = [](Shape q, Shape k, Shape v) {
    return error_of([&] { return scaled_dot_product(Tensor::zeros(q), Tensor::zeros(k), Tensor::zeros(v)); });
  };
  CHECK(error({2, 3}, {4, 5}, {4, 3}) ==
        "shape: scaled_dot_product: query and key must have the same width K: query [2, 3], key [4, 5], value [4, 3]");
  CHECK(error({2, 3}, {4, 3}, {5, 3}) ==
        "shape: scaled_dot_product: key and value must have the same length S: query [2, 3], key [4, 3], value [5, 3]");
  CHECK(error({3}, {4, 3}, {4, 3}) ==
        "shape: scaled_dot_product: needs three arrays of the same rank, 2 to 4: query "
        "[3], key [4, 3], value [4, 3]");
  CHECK(error({4, 2, 3}, {3, 2, 3}, {3, 2, 3}) ==
        "shape: scaled_dot_product: the key heads must divide the query heads: query [4, 2, 3], key [3, 2, 3], value "
        "[3, 2, 3]");
  CHECK(error({4, 2, 3}, {2, 2, 3}, {4, 2, 3}) ==
        "shape: scaled_dot_product: key and value must have the same number of heads: query [4, 2, 3], key [2, 2, 3], "
        "value [4, 2, 3]");
  CHECK(error({2, 1, 2, 3}, {3, 1, 2, 3}, {3, 1, 2, 3}) ==
        "shape: scaled_dot_product: the batches must be equal: query [2, 1, 2, 3], key [3, 1, 2, 3], value "
        "[3, 1, 2, 3]");
}

TEST_CASE("attention: scale and cap out of range, and a mask that does not fit", "[attention]") {
  ScaledDotProductOptions options;
  const auto error = [&] { return error_of([&] { return scaled_dot_product(kEye, kEye, kEye, options); }); };
  options.scale = -kDropped;
  CHECK(error() == "value: scaled_dot_product: scale must be finite, got inf");
  options.scale = 1.0f;
  options.soft_cap = 0.0f;
  CHECK(error() == "value: soft_cap: the cap must be above 0 and finite, got 0");
  options.soft_cap = 1.0f;
  options.mask = Mask::keep(Tensor::zeros({3}));
  CHECK(error() == "shape: mask: shapes [2, 2] and [3] do not broadcast (2 against 3)");
}

TEST_CASE("attention: a past that is halved or does not fit is named", "[attention]") {
  const auto error = [](const std::optional<Tensor>& past_key, const std::optional<Tensor>& past_value) {
    ScaledDotProductOptions options;
    options.past_key = past_key;
    options.past_value = past_value;
    return error_of([&] { return scaled_dot_product(kEye, kEye, kEye, options); });
  };
  CHECK(error(kEye, {}) == "shape: scaled_dot_product: past keys and past values come together");
  CHECK(error({}, kEye) == "shape: scaled_dot_product: past keys and past values come together");
  CHECK(error(Tensor::zeros({1, 2, 2}), kEye) ==
        "shape: scaled_dot_product: past_key [1, 2, 2] must fit the new [2, 2] in all but their number");
  CHECK(error(kEye, Tensor::zeros({2, 3})) ==
        "shape: scaled_dot_product: past_value [2, 3] must fit the new [2, 2] in all but their number");
  CHECK(error(kEye, Tensor::zeros({1, 2})) ==
        "shape: scaled_dot_product: key and value must have the same length S: query [2, 2], key [4, 2], value [3, 2]");
  CHECK(error(Tensor::scalar(1), kEye) ==
        "shape: scaled_dot_product: past_key [] must fit the new [2, 2] in all but their number");
}
