// SPDX-License-Identifier: MIT
#include "lookback/models/decoder/memory_estimate.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lookback/core/memory.hpp"
#include "lookback/models/decoder/session.hpp"
#include "models/decoder/files.hpp"

using lookback::io::TokenId;
using lookback::models::DecoderSession;
using lookback::models::estimate_memory;
using lookback::test::fixture_model;

TEST_CASE("memory estimate: it is what a session really takes", "[models][decoder]") {
  const auto model = fixture_model();
  const auto estimate = estimate_memory(model->config(), 1000, 20, 3);
  CHECK(estimate.weights == 1000);
  CHECK(estimate.cache == 2 * 2 * 20 * 8 * 4);
  CHECK(estimate.total() == 1000 + estimate.cache + estimate.scratch);

  const std::int64_t before = lookback::live_bytes();
  DecoderSession session(model, 20);
  session.run(std::vector<TokenId>{1, 5, 7});
  CHECK(session.byte_length() == estimate.cache + estimate.scratch);
  CHECK(lookback::live_bytes() - before == session.byte_length());
}

TEST_CASE("memory estimate: large models do not overflow", "[models][decoder]") {
  auto config = fixture_model()->config();
  config.layers = 200;
  config.kv_heads = 128;
  config.head_dim = 128;
  config.heads = 128;
  const auto estimate = estimate_memory(config, 0, 1 << 24, 1);
  CHECK(estimate.cache == std::int64_t{200} * 2 * (1 << 24) * 128 * 128 * 4);
}
