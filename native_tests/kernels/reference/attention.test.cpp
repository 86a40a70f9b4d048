// SPDX-License-Identifier: MIT
// The double oracle of attention against numbers that can be redone by hand.
#include "lookback/kernels/reference/attention.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {
constexpr double kDropped = -std::numeric_limits<double>::infinity();
double none(std::int64_t, std::int64_t, std::int64_t) { return 0.0; }
}  // namespace

TEST_CASE("reference attention: a masked row, scale and values by hand", "[kernels][reference]") {
  const float eye[] = {1, 0, 0, 1};
  const float values[] = {1, 2, 3, 4};
  const reference::AttentionSizes sizes{
      .queries = 2, .keys = 2, .head_dim = 2, .value_dim = 2, .scale = 1.0 / std::sqrt(2.0)};
  const auto result = reference::attention(
      eye, eye, values, sizes, [](std::int64_t, std::int64_t t, std::int64_t) { return t == 0 ? kDropped : 0.0; });
  CHECK_THAT(result.weights, close_to({0, 0, 0.33023845, 0.66976155}, {1e-8, 0.0}));
  CHECK_THAT(result.output, close_to({0, 0, 2.3395231, 3.3395231}, {1e-7, 0.0}));
}

TEST_CASE("reference attention: consecutive query heads share a key head", "[kernels][reference]") {
  const float queries[] = {0, 0, 0, 0};
  const float keys[] = {0, 0};
  const float values[] = {10, 20};
  CHECK_THAT(reference::attention(queries, keys, values, {.heads = 4, .kv_heads = 2}, none).output,
             close_to({10, 10, 20, 20}, kExact));
}

TEST_CASE("reference attention: the cap comes before the bias", "[kernels][reference]") {
  const float query[] = {4};
  const float keys[] = {1, 0};
  const float values[] = {1, 0};
  const auto weights = reference::attention(query, keys, values, {.keys = 2, .soft_cap = 2.0},
                                            [](std::int64_t, std::int64_t, std::int64_t j) { return j ? 5.0 : 0.0; })
                           .weights;
  // 2 tanh(2) = 1.92805516 against 5.
  CHECK_THAT(weights, close_to({0.04427945, 0.95572055}, {1e-8, 0.0}));
}
