// SPDX-License-Identifier: MIT
#include "lookback/io/piece_index.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace lookback::io;

TEST_CASE("piece index: finds pieces, of equal ones the lowest id", "[io][tokenizer]") {
  PieceIndex index;
  CHECK(index.find("") == kNoToken);
  index.add("b", 7);
  index.add("ab", 3);
  index.add("b", 2);
  index.add("", 9);
  index.sort();
  CHECK(index.find("b") == 2);
  CHECK(index.find("ab") == 3);
  CHECK(index.find("") == 9);
  CHECK(index.find("a") == kNoToken);
  CHECK(index.find("abc") == kNoToken);
}
