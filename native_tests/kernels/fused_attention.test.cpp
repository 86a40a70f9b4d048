// SPDX-License-Identifier: MIT
// Fused attention against its definition in double: block by block it must give what the whole gives.
#include "lookback/kernels/fused_attention.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/kernels/reference/attention.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kGuard = 12345.0f;
constexpr std::int64_t kUnlimited = VisibleKeys::kUnlimited;

std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }

struct Case {
  std::int64_t queries = 1, keys = 1, head_dim = 4, value_dim = 4;
  float soft_cap = 0.0f;
  VisibleKeys visible{};  ///< length 0 stands for all keys
  ScoreMask::Kind mask = ScoreMask::Kind::none;
  bool mask_of_columns = false;  ///< one row for all queries
  std::int64_t heads = 1;        ///< that share the key head
  bool is_packed = false;        ///< heads side by side in each row, not one after another

  std::int64_t mask_rows() const { return mask_of_columns ? 1 : queries; }
};

struct Numbers {
  std::vector<float> query, key, value, mask;
};

Numbers numbers_for(const Case& c, std::uint64_t seed) {
  Numbers n{random_numbers(c.heads * c.queries * c.head_dim, seed), random_numbers(c.keys * c.head_dim, seed + 1),
            random_numbers(c.keys * c.value_dim, seed + 2), random_numbers(c.heads * c.mask_rows() * c.keys, seed + 3)};
  for (float& entry : n.mask) {
    const bool is_dropped = entry < 0.2f;
    if (c.mask == ScoreMask::Kind::bias) {
      entry = is_dropped ? -kInfinity : 3.0f * entry;
    } else {
      entry = is_dropped == (c.mask == ScoreMask::Kind::keep) ? 0.0f : 1.0f;
    }
  }
  return n;
}

float scale_of(const Case& c) { return 1.0f / std::sqrt(static_cast<float>(std::max<std::int64_t>(c.head_dim, 1))); }

VisibleKeys visible_of(const Case& c) {
  VisibleKeys visible = c.visible;
  if (visible.length == 0) visible.length = c.keys;
  return visible;
}

/// A copy of rows [heads, rows, width] whose heads lie one after another or side by side, every row one float longer.
std::vector<float> laid_out(const std::vector<float>& x, std::int64_t heads, std::int64_t rows, std::int64_t width,
                            bool is_packed) {
  const std::int64_t row_stride = is_packed ? heads * (width + 1) : width + 1;
  const std::int64_t head_stride = is_packed ? width + 1 : rows * (width + 1);
  std::vector<float> result(count(heads * rows * (width + 1)), kNan);
  for (std::int64_t r = 0; r < heads * rows; ++r) {
    for (std::int64_t i = 0; i < width; ++i) {
      result[count(r / rows * head_stride + r % rows * row_stride + i)] = x[count(r * width + i)];
    }
  }
  return result;
}

/// Guards between the rows of the output and behind the scratch must stay.
std::vector<float> fused(const Case& c, const Numbers& n) {
  const std::vector<float> query = laid_out(n.query, c.heads, c.queries, c.head_dim, c.is_packed);
  const std::vector<float> key = laid_out(n.key, 1, c.keys, c.head_dim, false);
  const std::vector<float> value = laid_out(n.value, 1, c.keys, c.value_dim, false);
  std::vector<float> output(count(c.heads * c.queries * (c.value_dim + 1)), kGuard);
  const std::int64_t needed = fused_attention_scratch(c.head_dim, c.value_dim);
  std::vector<float> scratch(count(needed + 1), kNan);
  scratch.back() = kGuard;
  AttentionHeads heads;
  heads.query = query.data();
  heads.key = key.data();
  heads.value = value.data();
  heads.output = output.data();
  heads.heads = c.heads;
  heads.query_stride = c.is_packed ? c.heads * (c.head_dim + 1) : c.head_dim + 1;
  heads.output_stride = c.is_packed ? c.heads * (c.value_dim + 1) : c.value_dim + 1;
  heads.query_head_stride = c.is_packed ? c.head_dim + 1 : c.queries * (c.head_dim + 1);
  heads.output_head_stride = c.is_packed ? c.value_dim + 1 : c.queries * (c.value_dim + 1);
  heads.key_stride = c.head_dim + 1;
  heads.value_stride = c.value_dim + 1;
  heads.queries = c.queries;
  heads.head_dim = c.head_dim;
  heads.value_dim = c.value_dim;
  heads.scale = scale_of(c);
  heads.soft_cap = c.soft_cap;
  heads.visible = visible_of(c);
  heads.mask = {.kind = c.mask,
                .data = n.mask.data(),
                .row_stride = c.mask_of_columns ? 0 : c.keys,
                .col_stride = 1,
                .head_stride = c.mask_rows() * c.keys};
  fused_attention(heads, scratch.data());
  REQUIRE(scratch.back() == kGuard);
  std::vector<float> dense;
  for (std::int64_t r = 0; r < c.heads * c.queries; ++r) {
    const float* row = output.data() + r / c.queries * heads.output_head_stride + r % c.queries * heads.output_stride;
    dense.insert(dense.end(), row, row + c.value_dim);
    REQUIRE(row[c.value_dim] == kGuard);
  }
  return dense;
}

std::vector<double> defined(const Case& c, const Numbers& n) {
  const VisibleKeys visible = visible_of(c);
  const auto bias = [&](std::int64_t h, std::int64_t t, std::int64_t s) -> double {
    const double dropped = -std::numeric_limits<double>::infinity();
    const std::int64_t position = visible.position + t;
    if (s >= visible.length) return dropped;
    if (visible.left != kUnlimited && s < position - visible.left) return dropped;
    if (visible.right != kUnlimited && s > position + visible.right) return dropped;
    if (c.mask == ScoreMask::Kind::none) return 0.0;
    const auto entry =
        static_cast<double>(n.mask[count((h * c.mask_rows() + (c.mask_of_columns ? 0 : t)) * c.keys + s)]);
    if (c.mask == ScoreMask::Kind::bias) return entry;
    return (entry != 0.0) == (c.mask == ScoreMask::Kind::keep) ? 0.0 : dropped;
  };
  return reference::attention(n.query.data(), n.key.data(), n.value.data(),
                              {.heads = c.heads,
                               .queries = c.queries,
                               .keys = c.keys,
                               .head_dim = c.head_dim,
                               .value_dim = c.value_dim,
                               .scale = static_cast<double>(scale_of(c)),
                               .soft_cap = static_cast<double>(c.soft_cap)},
                              bias)
      .output;
}

VisibleKeys all() { return {.length = 0, .position = 0, .left = kUnlimited, .right = kUnlimited}; }

void check(const Case& c, std::uint64_t seed) {
  CAPTURE(c.queries, c.keys, c.head_dim, c.value_dim, c.soft_cap, c.visible.length, c.visible.position, c.visible.left,
          c.visible.right, static_cast<int>(c.mask), c.heads, c.is_packed, seed);
  const Numbers n = numbers_for(c, seed);
  CHECK_THAT(fused(c, n), close_to(defined(c, n)));
}

}  // namespace

TEST_CASE("fused attention: a row by hand", "[kernels][attention]") {
  // Scores 2 and 0 after the scale 1/2; sigmoid(2) = 0.88079708.
  const Case c{.queries = 1, .keys = 2, .head_dim = 4, .value_dim = 1, .visible = all()};
  CHECK_THAT(fused(c, {{2, 0, 0, 0}, {2, 0, 0, 0, 0, 1, 0, 0}, {10, 20}, {}}), close_to({11.1920292}));
}

TEST_CASE("fused attention: equals the definition around every block and tile", "[kernels][attention][reference]") {
  const auto [queries, keys, head_dim, value_dim] =
      GENERATE(table<std::int64_t, std::int64_t, std::int64_t, std::int64_t>({{1, 1, 1, 1},
                                                                              {1, 300, 64, 64},
                                                                              {3, 129, 5, 7},
                                                                              {4, 7, 8, 8},
                                                                              {5, 128, 33, 3},
                                                                              {64, 130, 16, 40},
                                                                              {70, 257, 9, 65},
                                                                              {130, 31, 64, 1},
                                                                              {2, 5, 0, 3},
                                                                              {17, 64, 3, 0}}));
  check({.queries = queries, .keys = keys, .head_dim = head_dim, .value_dim = value_dim, .visible = all()}, 71);
}

TEST_CASE("fused attention: without keys or queries", "[kernels][attention]") {
  check({.queries = 3, .keys = 0, .visible = all()}, 72);
  check({.queries = 5, .keys = 0, .visible = all()}, 72);
  check({.queries = 0, .keys = 4, .visible = all()}, 73);
}

TEST_CASE("fused attention: random sizes with every option crossed", "[kernels][attention][reference]") {
  const int seed = GENERATE(range(0, 120));
  lookback::Random random(static_cast<std::uint64_t>(seed) + 1000);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random.uniform() * static_cast<float>(high - low + 1));
  };
  Case c{.queries = pick(1, seed % 3 == 0 ? 140 : 9),
         .keys = pick(1, 280),
         .head_dim = pick(1, 40),
         .value_dim = pick(1, 40)};
  c.soft_cap = seed % 4 == 0 ? 0.7f : 0.0f;
  c.visible = {.length = pick(1, c.keys),
               .position = pick(-5, c.keys),
               .left = pick(0, 1) ? kUnlimited : pick(0, 50),
               .right = pick(0, 1) ? kUnlimited : pick(0, 50)};
  const ScoreMask::Kind kinds[] = {ScoreMask::Kind::none, ScoreMask::Kind::keep, ScoreMask::Kind::ignore,
                                   ScoreMask::Kind::bias};
  c.mask = kinds[seed % 4];
  c.mask_of_columns = seed % 3 == 1;
  c.heads = pick(1, 4);
  c.is_packed = pick(0, 1) != 0;
  check(c, static_cast<std::uint64_t>(seed) + 500);
}

TEST_CASE("fused attention: large scores that come late do not overflow", "[kernels][attention]") {
  const std::int64_t queries = GENERATE(1, 6);
  const Case c{.queries = queries, .keys = 400, .head_dim = 1, .value_dim = 2, .visible = all()};
  Numbers n = numbers_for(c, 74);
  for (float& value : n.query) value = 1.0f;
  for (std::size_t s = 0; s < n.key.size(); ++s) n.key[s] = static_cast<float>(s) * 5.0f - 900.0f;
  CHECK_THAT(fused(c, n), close_to(defined(c, n)));
}

TEST_CASE("fused attention: infinite scores share the weight, also across blocks", "[kernels][attention]") {
  const std::int64_t queries = GENERATE(1, 6);
  const Case c{.queries = queries, .keys = 200, .head_dim = 1, .value_dim = 1, .visible = all()};
  Numbers n{std::vector<float>(count(queries), 1.0f), std::vector<float>(200, 1.0f), std::vector<float>(200, 7.0f), {}};
  n.key[3] = n.key[150] = kInfinity;
  n.value[3] = 1.0f;
  n.value[150] = 2.0f;
  for (float y : fused(c, n)) CHECK(y == 1.5f);
}

TEST_CASE("fused attention: NaN in a score that counts spoils its row alone", "[kernels][attention]") {
  const std::int64_t queries = GENERATE(2, 6);
  const Case causal{.queries = queries,
                    .keys = queries,
                    .head_dim = 1,
                    .value_dim = 1,
                    .visible = {.length = 0, .position = 0, .left = kUnlimited, .right = 0}};
  Numbers n = numbers_for(causal, 75);
  n.key.back() = kNan;
  const std::vector<float> output = fused(causal, n);
  CHECK(std::isnan(output.back()));
  for (std::size_t t = 0; t + 1 < output.size(); ++t) CHECK(std::isfinite(output[t]));
}

TEST_CASE("fused attention: infinity and NaN in the value of a dropped key do not count", "[kernels][attention]") {
  const std::int64_t queries = GENERATE(1, 6, 70);
  Case c{
      .queries = queries, .keys = 200, .head_dim = 4, .value_dim = 3, .visible = all(), .mask = ScoreMask::Kind::keep};
  Numbers n = numbers_for(c, 78);
  Numbers spoiled = n;
  for (std::int64_t t = 0; t < queries; ++t) {
    for (std::int64_t s : {0, 5, 150, 199}) n.mask[count(t * c.keys + s)] = 0.0f;
  }
  spoiled.mask = n.mask;
  spoiled.value[0] = spoiled.value[150 * 3 + 1] = kNan;
  spoiled.value[5 * 3] = kInfinity;
  spoiled.key[199 * 4] = kNan;
  CHECK_THAT(fused(c, spoiled), close_to(fused(c, n)));
  // One query sees one of them.
  spoiled.mask[150] = 1.0f;
  const std::vector<float> output = fused(c, spoiled);
  CHECK(std::isnan(output[1]));
  for (std::size_t i = 2; i < output.size(); ++i) CHECK(std::isfinite(output[i]));
}

TEST_CASE("fused attention: keys behind the valid length are not read", "[kernels][attention]") {
  const std::int64_t queries = GENERATE(1, 6);
  Case c{.queries = queries, .keys = 10, .visible = all()};
  c.visible.length = 7;
  Numbers n = numbers_for(c, 76);
  const std::vector<float> before = fused(c, n);
  for (std::int64_t i = 7 * 4; i < 40; ++i) n.key[count(i)] = n.value[count(i)] = kNan;
  CHECK_THAT(fused(c, n), close_to(before, kExact));
}

TEST_CASE("fused attention: scratch does not grow with queries or keys", "[kernels][attention]") {
  CHECK(fused_attention_scratch(64, 64) < 1 << 16);
}
