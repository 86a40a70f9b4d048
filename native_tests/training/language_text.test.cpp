// SPDX-License-Identifier: MIT
#include "lookback/training/language_text.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/errors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::error_of;
using namespace lookback::training;
using Row = std::vector<std::int64_t>;

namespace {

/// 10 11, 20 21 22, 30: with separators nine tokens.
std::vector<Document> three_documents() { return {{{10, 11}, 5}, {{20, 21, 22}, 6}, {{30}, 1}}; }

}  // namespace

TEST_CASE("text: documents end with a mark of their own", "[training]") {
  using Texts = std::vector<std::string_view>;
  CHECK(split_documents("One.\nTwo.\n<|endoftext|>\n  Three.<|endoftext|>") == Texts{"One.\nTwo.", "Three."});
  CHECK(split_documents("<|endoftext|> \r\n <|endoftext|>last") == Texts{"last"});
  CHECK(split_documents("<|endoftext|").size() == 1);
  CHECK(split_documents(" \n").empty());
  CHECK(split_documents("").empty());
}

TEST_CASE("rows: an epoch predicts every token once, in whole documents", "[training]") {
  PackedRows rows(three_documents(), 0, 4, 1);
  CHECK(rows.num_tokens() == 9);
  REQUIRE(rows.rows_per_epoch() == 2);
  const Row first = rows.next(), second = rows.next();
  REQUIRE(first.size() == 5);
  CHECK(first.back() == second.front());
  Row stream = first;
  stream.insert(stream.end(), second.begin() + 1, second.end());
  CHECK(stream.front() == 0);
  for (const Row& document : {Row{0, 10, 11}, Row{0, 20, 21, 22}, Row{0, 30}}) {
    CHECK(std::search(stream.begin(), stream.end(), document.begin(), document.end()) != stream.end());
  }
}

TEST_CASE("rows: epochs differ, seeds differ, and a position is all there is to a state", "[training]") {
  const auto drawn = [](std::uint64_t seed, std::int64_t position) {
    PackedRows rows(three_documents(), 0, 4, seed);
    rows.seek(position);
    std::vector<Row> result;
    for (int i = 0; i < 12; ++i) result.push_back(rows.next());
    return result;
  };
  const std::vector<Row> all = drawn(1, 0);
  CHECK(drawn(1, 0) == all);
  CHECK(drawn(2, 0) != all);
  CHECK(std::vector<Row>(all.begin(), all.begin() + 6) != std::vector<Row>(all.begin() + 6, all.end()));
  const std::vector<Row> later = drawn(1, 5);
  CHECK(std::equal(all.begin() + 5, all.end(), later.begin()));
}

TEST_CASE("rows: too little text is an error that names the numbers", "[training]") {
  CHECK_THAT(error_of([] { return PackedRows(three_documents(), 0, 9, 1); }),
             ContainsSubstring("value: rows: 3 documents with 9 tokens do not fill one row of 9 + 1"));
  CHECK(error_of([] { return PackedRows(three_documents(), 0, 8, 1); }) == "no error");
  CHECK_THAT(error_of([] { return PackedRows({}, 0, 1, 1); }), ContainsSubstring("0 documents"));
  CHECK_THAT(error_of([] { return PackedRows(three_documents(), 0, 0, 1); }), ContainsSubstring("length"));
  PackedRows rows(three_documents(), 0, 4, 1);
  CHECK_THAT(error_of([&] { return rows.seek(-1), 0; }), ContainsSubstring("range: rows: position -1"));
}
