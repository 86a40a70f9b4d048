// SPDX-License-Identifier: MIT
// Causal attention over a key/value cache.
#include "lookback/kernels/cached_attention.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/kernels/reference/attention.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

struct Attended {
  std::vector<float> output;
  std::vector<float> weights;
};

std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }

Attended attend(const std::vector<float>& query, const std::vector<float>& keys, const std::vector<float>& values,
                const CachedAttentionSizes& s) {
  const std::int64_t span = s.position + s.num_queries;
  Attended result{std::vector<float>(count(s.num_queries * s.heads * s.head_dim), -1.0f),
                  std::vector<float>(count(s.num_queries * s.heads * span), -1.0f)};
  std::vector<float> scratch(count(cached_attention_scratch(s)));
  cached_attention(query.data(), keys.data(), values.data(), s, result.output.data(), scratch.data(),
                   result.weights.data());
  return result;
}

/// [N, M, K] to [M, N, K]: the oracle keeps heads outermost.
std::vector<float> swapped(const std::vector<float>& x, std::int64_t n, std::int64_t m, std::int64_t k) {
  std::vector<float> result(x.size());
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t d = 0; d < k; ++d) result[count((j * n + i) * k + d)] = x[count((i * m + j) * k + d)];
  return result;
}

}  // namespace

TEST_CASE("cached attention: a step sees all that was cached, and itself", "[kernels][attention]") {
  const std::vector<float> keys(5);
  const std::vector<float> values{0, 1, 2, 3, 4};
  const CachedAttentionSizes step{
      .heads = 1, .kv_heads = 1, .head_dim = 1, .num_queries = 1, .position = 4, .capacity = 5};
  CHECK_THAT(attend({0}, keys, values, step).output, close_to({2}));
  const CachedAttentionSizes chunk{
      .heads = 1, .kv_heads = 1, .head_dim = 1, .num_queries = 2, .position = 3, .capacity = 5};
  const Attended both = attend({0, 0}, keys, values, chunk);
  CHECK_THAT(both.output, close_to({1.5, 2}));
  CHECK_THAT(both.weights, close_to({0.25, 0.25, 0.25, 0.25, 0, 0.2, 0.2, 0.2, 0.2, 0.2}));
}

TEST_CASE("cached attention: consecutive query heads share a key/value head", "[kernels][attention]") {
  const CachedAttentionSizes sizes{
      .heads = 4, .kv_heads = 2, .head_dim = 1, .num_queries = 1, .position = 0, .capacity = 1};
  CHECK_THAT(attend({0, 0, 0, 0}, {0, 0}, {10, 20}, sizes).output, close_to({10, 10, 20, 20}, kExact));
}

TEST_CASE("cached attention: the scale is 1 / sqrt(head_dim)", "[kernels][attention]") {
  const std::vector<float> query{2, 0, 0, 0};
  const std::vector<float> keys{2, 0, 0, 0, 0, 1, 0, 0};
  const CachedAttentionSizes sizes{
      .heads = 1, .kv_heads = 1, .head_dim = 4, .num_queries = 1, .position = 1, .capacity = 2};
  CHECK_THAT(attend(query, keys, counted(8), sizes).weights, close_to({0.88079708, 0.11920292}));
}

TEST_CASE("cached attention: what lies behind the position has no influence", "[kernels][attention]") {
  const CachedAttentionSizes sizes{
      .heads = 2, .kv_heads = 1, .head_dim = 3, .num_queries = 2, .position = 1, .capacity = 5};
  const std::vector<float> query = random_numbers(12, 51);
  std::vector<float> keys = random_numbers(15, 52);
  std::vector<float> values = random_numbers(15, 53);
  const Attended before = attend(query, keys, values, sizes);
  for (std::size_t i = 9; i < 15; ++i) keys[i] = values[i] = std::numeric_limits<float>::quiet_NaN();
  const Attended after = attend(query, keys, values, sizes);
  CHECK_THAT(after.output, close_to(before.output, kExact));
  CHECK_THAT(after.weights, close_to(before.weights, kExact));
}

TEST_CASE("cached attention: token by token equals all at once, with and without weights", "[kernels][attention]") {
  constexpr std::int64_t kTokens = 5;
  CachedAttentionSizes sizes{
      .heads = 4, .kv_heads = 2, .head_dim = 3, .num_queries = kTokens, .position = 0, .capacity = kTokens};
  const std::vector<float> query = random_numbers(kTokens * 12, 54);
  const std::vector<float> keys = random_numbers(kTokens * 6, 55);
  const std::vector<float> values = random_numbers(kTokens * 6, 56);
  const Attended all = attend(query, keys, values, sizes);
  std::vector<float> stepped(all.output.size());
  sizes.num_queries = 1;
  for (sizes.position = 0; sizes.position < kTokens; ++sizes.position) {
    std::vector<float> scratch(count(cached_attention_scratch(sizes)));
    cached_attention(query.data() + sizes.position * 12, keys.data(), values.data(), sizes,
                     stepped.data() + sizes.position * 12, scratch.data(), nullptr);
  }
  CHECK_THAT(stepped, close_to(all.output));
}

TEST_CASE("cached attention: equals the double reference", "[kernels][attention][reference]") {
  const auto [heads, kv_heads, head_dim, queries, position] =
      GENERATE(table<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
          {{1, 1, 1, 1, 0}, {2, 2, 5, 3, 0}, {4, 2, 16, 1, 6}, {6, 2, 7, 4, 3}, {3, 1, 33, 2, 17}, {2, 1, 4, 0, 3}}));
  const std::int64_t keys = position + queries;
  const CachedAttentionSizes sizes{heads, kv_heads, head_dim, queries, position, keys + 2};
  const std::vector<float> q = random_numbers(queries * heads * head_dim, 57);
  std::vector<float> k = random_numbers((keys + 2) * kv_heads * head_dim, 58);
  std::vector<float> v = random_numbers((keys + 2) * kv_heads * head_dim, 59);
  const Attended attended = attend(q, k, v, sizes);

  k.resize(count(keys * kv_heads * head_dim));
  v.resize(k.size());
  const reference::AttentionSizes oracle_sizes{.heads = heads,
                                               .kv_heads = kv_heads,
                                               .queries = queries,
                                               .keys = keys,
                                               .head_dim = head_dim,
                                               .value_dim = head_dim,
                                               .scale = 1.0 / std::sqrt(static_cast<double>(head_dim))};
  const std::int64_t first = position;
  const auto expected = reference::attention(
      swapped(q, queries, heads, head_dim).data(), swapped(k, keys, kv_heads, head_dim).data(),
      swapped(v, keys, kv_heads, head_dim).data(), oracle_sizes, [first](std::int64_t, std::int64_t t, std::int64_t j) {
        return j > first + t ? -std::numeric_limits<double>::infinity() : 0.0;
      });
  CHECK_THAT(swapped(attended.output, queries, heads, head_dim), close_to(expected.output));
  CHECK_THAT(swapped(attended.weights, queries, heads, keys), close_to(expected.weights));
}
