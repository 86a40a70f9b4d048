// SPDX-License-Identifier: MIT
// Padding of sequences into rows.
#include "lookback/models/seq2seq/batch.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace lookback::models::seq2seq;

TEST_CASE("padded: by item and by time", "[models][seq2seq]") {
  const std::vector<Ids> sequences = {{5, 6, 7}, {}, {8}};
  const PaddedIds by_item = padded(sequences, -1, Order::by_item);
  CHECK(by_item.batch == 3);
  CHECK(by_item.steps == 3);
  CHECK(by_item.lengths == Ids{3, 0, 1});
  CHECK(by_item.ids == Ids{5, 6, 7, -1, -1, -1, 8, -1, -1});
  const PaddedIds by_time = padded(sequences, -1, Order::by_time);
  CHECK(by_time.lengths == Ids{3, 0, 1});
  CHECK(by_time.ids == Ids{5, -1, 8, 6, -1, -1, 7, -1, -1});
}

TEST_CASE("padded: nothing at all", "[models][seq2seq]") {
  CHECK(padded({}, 0, Order::by_time).ids.empty());
  const PaddedIds empty = padded({{}, {}}, 0, Order::by_item);
  CHECK(empty.batch == 2);
  CHECK(empty.steps == 0);
  CHECK(empty.ids.empty());
}
