// SPDX-License-Identifier: MIT
// Properties that attention has whatever the numbers are.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

struct Sequence {
  Tensor query;
  Tensor key;
  Tensor value;
};

/// H = 4 heads over G = 2, T = S = 6, K = 5.
Sequence sequence(std::uint64_t seed) {
  return {random_tensor({2, 4, 6, 5}, seed), random_tensor({2, 2, 6, 5}, seed + 1),
          random_tensor({2, 2, 6, 3}, seed + 2)};
}

Tensor tokens(const Tensor& x, std::int64_t start, std::int64_t stop) { return slice(x, -2, start, stop); }

/// Tokens in the order 3, 0, 5, 1, 4, 2.
Tensor shuffled(const Tensor& x, int axis) {
  const Tensor front = transpose(x, axis, 0);
  const Tensor flat = front.reshape({6, front.size() / 6});
  return transpose(gather_rows(flat, {3, 0, 5, 1, 4, 2}).reshape(front.shape()), axis, 0);
}

const ScaledDotProductOptions kCausal{.positions = {.causal = Causal::bottom_right}};

}  // namespace

TEST_CASE("attention: weights are positive and sum to 1", "[attention][property]") {
  const Sequence s = sequence(1);
  const Tensor weights = scaled_dot_product(s.query, s.key, s.value).weights;
  for (std::int64_t row = 0; row < weights.size() / 6; ++row) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < 6; ++j) {
      CHECK(weights.data()[row * 6 + j] > 0.0f);
      sum += static_cast<double>(weights.data()[row * 6 + j]);
    }
    CHECK(is_close(sum, 1.0, kFloat32));
  }
}

TEST_CASE("attention: permuting keys with their values changes nothing", "[attention][property]") {
  const Sequence s = sequence(2);
  CHECK_THAT(scaled_dot_product(s.query, shuffled(s.key, 2), shuffled(s.value, 2)).output,
             close_to(scaled_dot_product(s.query, s.key, s.value).output));
}

TEST_CASE("attention: permuting the queries permutes the rows", "[attention][property]") {
  const Sequence s = sequence(3);
  const ScaledDotProduct plain = scaled_dot_product(s.query, s.key, s.value);
  const ScaledDotProduct permuted = scaled_dot_product(shuffled(s.query, 2), s.key, s.value);
  CHECK_THAT(permuted.output, close_to(shuffled(plain.output, 2)));
  CHECK_THAT(permuted.weights, close_to(shuffled(plain.weights, 2)));
}

TEST_CASE("attention: adding one number to all scores of a row changes nothing", "[attention][property]") {
  const Sequence s = sequence(4);
  const Mask shift = Mask::bias(scale(random_tensor({6, 1}, 9), 30));
  CHECK_THAT(scaled_dot_product(s.query, s.key, s.value, {.mask = shift}).output,
             close_to(scaled_dot_product(s.query, s.key, s.value).output));
}

TEST_CASE("causal attention: later tokens have no influence on earlier rows", "[attention][property]") {
  const Sequence s = sequence(5);
  const Sequence other = sequence(50);
  const std::int64_t kept = GENERATE(1, 3, 5);
  const auto changed = [&](const Tensor& x, const Tensor& y) {
    return concat({tokens(x, 0, kept), tokens(y, kept, 6)}, -2);
  };
  const Tensor before = scaled_dot_product(s.query, s.key, s.value, kCausal).output;
  const Tensor after = scaled_dot_product(changed(s.query, other.query), changed(s.key, other.key),
                                          changed(s.value, other.value), kCausal)
                           .output;
  CHECK_THAT(tokens(after, 0, kept), close_to(tokens(before, 0, kept), kExact));
  CHECK_THAT(tokens(after, kept, 6), !close_to(tokens(before, kept, 6)));
}

TEST_CASE("causal attention: a prefix alone gives the same rows", "[attention][property]") {
  const Sequence s = sequence(6);
  const Tensor all = scaled_dot_product(s.query, s.key, s.value, kCausal).output;
  const Tensor prefix =
      scaled_dot_product(tokens(s.query, 0, 4), tokens(s.key, 0, 4), tokens(s.value, 0, 4), kCausal).output;
  CHECK_THAT(prefix, close_to(tokens(all, 0, 4)));
}

TEST_CASE("attention: past and new equal all at once", "[attention][property]") {
  const Sequence s = sequence(7);
  const std::int64_t past = GENERATE(0, 1, 4, 5);
  const ScaledDotProduct all = scaled_dot_product(s.query, s.key, s.value, kCausal);
  ScaledDotProductOptions options = kCausal;
  options.past_key = tokens(s.key, 0, past);
  options.past_value = tokens(s.value, 0, past);
  const ScaledDotProduct step =
      scaled_dot_product(tokens(s.query, past, 6), tokens(s.key, past, 6), tokens(s.value, past, 6), options);
  CHECK_THAT(step.output, close_to(tokens(all.output, past, 6)));
  CHECK_THAT(step.weights, close_to(tokens(all.weights, past, 6)));
  CHECK_THAT(step.present_key, close_to(s.key, kExact));
  CHECK_THAT(step.present_value, close_to(s.value, kExact));
}

TEST_CASE("attention: padding that is masked changes nothing", "[attention][property]") {
  const Sequence s = sequence(8);
  const Sequence junk = sequence(80);
  const Tensor key = concat({s.key, tokens(junk.key, 0, 3)}, -2);
  const Tensor value = concat({s.value, tokens(junk.value, 0, 3)}, -2);
  const Tensor alone = scaled_dot_product(s.query, s.key, s.value).output;
  const Mask keep = Mask::keep(Tensor::vector({1, 1, 1, 1, 1, 1, 0, 0, 0}));
  CHECK_THAT(scaled_dot_product(s.query, key, value, {.mask = keep}).output, close_to(alone));
  CHECK_THAT(scaled_dot_product(s.query, key, value, {.positions = {.valid_lengths = {6, 6}}}).output, close_to(alone));
}

TEST_CASE("attention: a window of S and more is no window", "[attention][property]") {
  const Sequence s = sequence(9);
  const Tensor full = scaled_dot_product(s.query, s.key, s.value).output;
  CHECK_THAT(scaled_dot_product(s.query, s.key, s.value, {.positions = {.window_left = 6, .window_right = 6}}).output,
             close_to(full, kExact));
  CHECK_THAT(scaled_dot_product(s.query, s.key, s.value, {.positions = {.window_left = 2, .window_right = 6}}).output,
             !close_to(full));
}

TEST_CASE("grouped heads: equal key heads repeated one by one", "[attention][property]") {
  const Sequence s = sequence(10);
  const auto repeated = [](const Tensor& x) {
    std::vector<Tensor> heads;
    for (std::int64_t h = 0; h < 4; ++h) heads.push_back(slice(x, 1, h / 2, h / 2 + 1));
    return concat(heads, 1);
  };
  const ScaledDotProductOptions options = GENERATE(ScaledDotProductOptions{}, kCausal);
  const ScaledDotProduct grouped = scaled_dot_product(s.query, s.key, s.value, options);
  const ScaledDotProduct plain = scaled_dot_product(s.query, repeated(s.key), repeated(s.value), options);
  CHECK_THAT(grouped.output, close_to(plain.output));
  CHECK_THAT(grouped.weights, close_to(plain.weights));
}

TEST_CASE("attention: batch items and heads do not see each other", "[attention][property]") {
  const Sequence s = sequence(11);
  const Tensor all = scaled_dot_product(s.query, s.key, s.value, kCausal).output;
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t h = 0; h < 4; ++h) {
      const auto head = [&](const Tensor& x, std::int64_t index) {
        const Tensor item = slice(slice(x, 0, b, b + 1), 1, index, index + 1);
        return item.reshape({6, item.dim(-1)});
      };
      CHECK_THAT(scaled_dot_product(head(s.query, h), head(s.key, h / 2), head(s.value, h / 2), kCausal).output,
                 close_to(head(all, h)));
    }
  }
}
