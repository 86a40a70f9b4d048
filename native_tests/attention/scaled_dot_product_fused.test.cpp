// SPDX-License-Identifier: MIT
// The fused path gives what the capturing path gives, whatever the options, and complains of the same things.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "lookback/attention/multi_head.hpp"
#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/random.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

Tensor fused_output(const Tensor& q, const Tensor& k, const Tensor& v, ScaledDotProductOptions options) {
  options.capture = false;
  return scaled_dot_product(q, k, v, options).output;
}

/// A random draw from [low, high].
class Draw {
 public:
  explicit Draw(int seed) : random_(static_cast<std::uint64_t>(seed) + 77) {}
  std::int64_t operator()(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_.uniform() * static_cast<float>(high - low + 1));
  }

 private:
  Random random_;
};

/// 1 to 4 axes that broadcast to [B, H, T, S].
Tensor random_mask(Draw& draw, const Shape& scores, bool is_bias, std::uint64_t seed) {
  std::vector<std::int64_t> dims;
  for (std::int64_t axis = -draw(1, 4); axis < 0; ++axis) {
    dims.push_back(draw(0, 2) == 0 ? 1 : scores[static_cast<int>(axis)]);
  }
  const Tensor numbers = random_tensor(Shape(dims), seed);
  std::vector<float> entries(numbers.values().begin(), numbers.values().end());
  if (!is_bias) {
    for (float& entry : entries) entry = entry > -0.3f ? 1.0f : 0.0f;
  }
  return Tensor(Shape(dims), entries);
}

}  // namespace

TEST_CASE("fused attention: the same output as the capturing path under every option", "[attention][property]") {
  const int seed = GENERATE(range(0, 150));
  Draw draw(seed);
  const std::int64_t batch = draw(1, 3), groups = draw(1, 3), heads = groups * draw(1, 3);
  const std::int64_t queries = draw(1, 9), keys = draw(1, 150), past = draw(0, 3) ? 0 : draw(1, 5);
  const auto numbers = [&](Shape shape, int i) {
    return random_tensor(shape, static_cast<std::uint64_t>(seed * 7 + i));
  };
  const Tensor q = numbers({batch, heads, queries, 6}, 0);
  const Tensor k = numbers({batch, groups, keys, 6}, 1);
  const Tensor v = numbers({batch, groups, keys, 5}, 2);
  ScaledDotProductOptions options;
  if (past) {
    options.past_key = numbers({batch, groups, past, 6}, 3);
    options.past_value = numbers({batch, groups, past, 5}, 4);
  }
  const Shape scores{batch, heads, queries, keys + past};
  const std::int64_t kind = draw(0, 3);
  if (kind == 1) options.mask = Mask::keep(random_mask(draw, scores, false, 5));
  if (kind == 2) options.mask = Mask::ignore(random_mask(draw, scores, false, 6));
  if (kind == 3) options.mask = Mask::bias(random_mask(draw, scores, true, 7));
  options.positions.causal = static_cast<Causal>(draw(0, 2));
  if (draw(0, 2) == 0) options.positions.window_left = draw(0, 20);
  if (draw(0, 2) == 0) options.positions.window_right = draw(0, 20);
  if (draw(0, 3) == 0) options.positions.query_position = draw(-3, keys);
  if (draw(0, 2) == 0) {
    for (std::int64_t b = 0; b < batch; ++b) options.positions.valid_lengths.push_back(draw(0, keys + past));
  }
  if (draw(0, 2) == 0) options.soft_cap = 0.8f;
  if (draw(0, 2) == 0) options.scale = 0.3f;
  CAPTURE(seed, scores.to_string(), kind);
  const ScaledDotProduct captured = scaled_dot_product(q, k, v, options);
  CHECK_THAT(fused_output(q, k, v, options), close_to(captured.output));
  options.heads = heads;
  options.kv_heads = groups;
  CHECK_THAT(fused_output(merge_heads(q), merge_heads(k), merge_heads(v), options),
             close_to(merge_heads(captured.output)));
}

TEST_CASE("packed heads: what a side does not divide, or has no heads, is refused", "[attention][errors]") {
  const Tensor x = random_tensor({5, 12}, 8);
  const bool capture = GENERATE(false, true);
  const auto attend = [&](const Tensor& q, std::int64_t heads, std::optional<std::int64_t> kv_heads) {
    scaled_dot_product(q, x, x, {.heads = heads, .kv_heads = kv_heads, .capture = capture});
  };
  CHECK_THROWS_AS(attend(x, 5, 4), ShapeError);
  CHECK_THROWS_AS(attend(x, 4, 5), ShapeError);
  CHECK_THROWS_AS(attend(x, 0, 4), ShapeError);
  CHECK_THROWS_AS(attend(random_tensor({1, 2, 5, 12}, 9), 4, 4), ShapeError);
  CHECK_THROWS_AS(scaled_dot_product(x, x, x, {.kv_heads = 2, .capture = capture}), Error);
  CHECK_NOTHROW(attend(x, 4, std::nullopt));
}

TEST_CASE("attention: infinity and NaN in the value of a dropped key do not count", "[attention]") {
  const Tensor x = random_tensor({2, 3, 4}, 10);
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor value(Shape{2, 3, 2}, {1, 2, nan, inf, 5, 6, 1, 2, -inf, nan, 5, 6});
  const Tensor clean(Shape{2, 3, 2}, {1, 2, 0, 0, 5, 6, 1, 2, 0, 0, 5, 6});
  ScaledDotProductOptions options{.mask = Mask::keep(Tensor::vector({1, 0, 1}))};
  options.capture = GENERATE(false, true);
  CHECK_THAT(scaled_dot_product(x, x, value, options).output,
             close_to(scaled_dot_product(x, x, clean, options).output));
}

TEST_CASE("fused attention: two and three axes, and widths of nothing", "[attention]") {
  const auto check = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    const Tensor output = fused_output(q, k, v, {});
    CHECK(output.shape() == q.shape().with(-1, v.dim(-1)));
    CHECK_THAT(output, close_to(scaled_dot_product(q, k, v).output));
  };
  check(random_tensor({7, 4}, 1), random_tensor({9, 4}, 2), random_tensor({9, 3}, 3));
  check(random_tensor({4, 7, 4}, 1), random_tensor({2, 9, 4}, 2), random_tensor({2, 9, 3}, 3));
  check(random_tensor({2, 4}, 1), Tensor::zeros({0, 4}), Tensor::zeros({0, 3}));
  check(Tensor::zeros({0, 4}), random_tensor({2, 4}, 2), random_tensor({2, 3}, 3));
  check(Tensor::zeros({3, 0}), Tensor::zeros({2, 0}), random_tensor({2, 3}, 3));
}

TEST_CASE("fused attention: nothing but the output is computed", "[attention]") {
  const Tensor x = random_tensor({6, 4}, 4);
  ScaledDotProductOptions options;
  options.capture = false;
  const ScaledDotProduct result = scaled_dot_product(x, x, x, options);
  CHECK(result.weights.size() + result.scores.size() + result.capped_scores.size() + result.masked_scores.size() == 0);
  CHECK(result.output.shape() == x.shape());
}

TEST_CASE("fused attention: wrong options are refused by both paths alike", "[attention][errors]") {
  const Tensor x = random_tensor({2, 1, 5, 4}, 5);
  const auto message_of = [&](ScaledDotProductOptions options, bool capture) -> std::string {
    options.capture = capture;
    try {
      scaled_dot_product(x, x, x, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const ScaledDotProductOptions wrong[] = {
      {.soft_cap = 0.0f},
      {.scale = std::numeric_limits<float>::infinity()},
      {.mask = Mask::keep(Tensor::zeros({4}))},
      {.mask = Mask::bias(Tensor::zeros({3, 1, 5, 5}))},
      {.positions = {.window_left = -1}},
      {.positions = {.valid_lengths = {5}}},
      {.positions = {.valid_lengths = {5, 6}}},
  };
  for (const ScaledDotProductOptions& options : wrong) {
    CHECK(message_of(options, true) != "");
    CHECK(message_of(options, false) == message_of(options, true));
  }
}
