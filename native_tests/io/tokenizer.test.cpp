// SPDX-License-Identifier: MIT
#include "lookback/io/tokenizer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <memory>

#include "lookback/core/error.hpp"
#include "lookback/io/spm_tokenizer.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "support/files.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using namespace lookback::io;
using Ids = std::vector<TokenId>;

namespace {
std::unique_ptr<Tokenizer> fixture_tokenizer() { return read_tokenizer_file(lookback::test::fixture("tokenizer.bin")); }
}  // namespace

TEST_CASE("tokenizer: the dummy space comes once, and the empty text has none", "[io][tokenizer]") {
  Vocabulary v;
  v.pieces = {"<unk>", "<s>", "</s>", " a", " b", " "};
  v.scores = {0, 0, 0, -1, -2, -3};
  v.kinds = {TokenKind::unknown, TokenKind::control, TokenKind::control,
             TokenKind::normal,  TokenKind::normal,  TokenKind::normal};
  v.start = 1;
  v.end = 2;
  v.unknown = 0;
  const SpmTokenizer tokenizer(v);
  CHECK(tokenizer.encode("a b") == Ids{1, 3, 4});
  CHECK(tokenizer.decode(Ids{1, 3, 4}) == "a b");
  CHECK(tokenizer.encode("") == Ids{1});
  CHECK(tokenizer.encode("", {.add_start = false}).empty());
  CHECK(tokenizer.encode("  a") == Ids{1, 5, 5, 3});
  CHECK(tokenizer.decode(tokenizer.encode("  a")) == "  a");
  CHECK(tokenizer.encode("a</s> b", {.parse_special = true}) == Ids{1, 3, 2, 4});
  CHECK(tokenizer.decode(Ids{3, 4}) == " a b");

  TextStream stream(tokenizer);
  CHECK(stream.push(1) == "");
  CHECK(stream.push(3) == "a");
  CHECK(stream.push(4) == " b");
}

TEST_CASE("tokenizer: bytes take over where no piece is", "[io][tokenizer]") {
  const auto tokenizer = fixture_tokenizer();
  CHECK(tokenizer->encode("\n", {.add_start = false}) == Ids{272, 13});
  CHECK(tokenizer->encode("\xF0\x9F\x98\x80", {.add_start = false}) == Ids{272, 243, 162, 155, 131});
  CHECK(tokenizer->bytes_of(13) == "\n");
  CHECK(tokenizer->display(13) == "<0x0A>");
  CHECK(tokenizer->bytes_of(131) == "\x80");
  for (int byte = 0; byte < 256; ++byte)
    CHECK(tokenizer->bytes_of(byte + 3) == std::string(1, static_cast<char>(byte)));
}

TEST_CASE("tokenizer: special tokens are not made from text unless asked", "[io][tokenizer]") {
  const auto tokenizer = fixture_tokenizer();
  for (const TokenId id : tokenizer->encode("</s>", {.add_start = false})) CHECK(id > 2);
  CHECK(tokenizer->decode(tokenizer->encode("</s>")) == "</s>");
  CHECK(tokenizer->encode("</s>", {.add_start = false, .parse_special = true}) == Ids{2});
  CHECK(tokenizer->encode("the cat</s>", {.parse_special = true}) == Ids{1, 263, 265, 2});
  CHECK(tokenizer->encode("<0x0A>", {.add_start = false}).size() > 1);
  CHECK(tokenizer->decode(Ids{2}) == "");
  CHECK(tokenizer->decode(Ids{2}, {.skip_special = false}) == "</s>");
  CHECK(tokenizer->is_special(2));
  CHECK(tokenizer->ends_text(2));
  CHECK(tokenizer->ends_text(1));
  CHECK_FALSE(tokenizer->ends_text(0));
}

TEST_CASE("tokenizer: text comes back, whatever it is", "[io][tokenizer]") {
  const auto tokenizer = fixture_tokenizer();
  const std::string zero("a\0b", 3);
  for (const std::string& text : {std::string("the cat"), std::string("caf\xC3\xA9 \xE4\xBD\xA0\xE5\xA5\xBD"), zero,
                                  std::string("constructor __proto__"), std::string(" \t \n "),
                                  std::string("a\xE2\x96\x81"
                                              "b")}) {
    CHECK(tokenizer->decode(tokenizer->encode(text)) == text);
  }
}

TEST_CASE("tokenizer: invalid UTF-8 counts as U+FFFD", "[io][tokenizer]") {
  const auto tokenizer = fixture_tokenizer();
  CHECK(tokenizer->encode("a\xED\xA0\xBD"
                          "b") == tokenizer->encode("a\xEF\xBF\xBD"
                                                    "b"));
  CHECK(tokenizer->encode("a\xFF"
                          "b") == tokenizer->encode("a\xEF\xBF\xBD"
                                                    "b"));
}

TEST_CASE("tokenizer: a streamed emoji appears when its last byte does", "[io][tokenizer]") {
  const auto tokenizer = fixture_tokenizer();
  TextStream stream(*tokenizer);
  CHECK(stream.push(243) == "");
  CHECK(stream.push(162) == "");
  CHECK(stream.push(155) == "");
  CHECK(stream.push(131) == "\xF0\x9F\x98\x80");
  CHECK(stream.push(243) == "");
  CHECK(stream.finish() == "\xEF\xBF\xBD");
}

TEST_CASE("tokenizer: ids outside the vocabulary are named", "[io][tokenizer]") {
  const auto tokenizer = fixture_tokenizer();
  CHECK_THROWS_MATCHES(tokenizer->decode(Ids{287}), lookback::RangeError, MessageMatches(ContainsSubstring("287")));
  CHECK_THROWS_AS(tokenizer->display(-1), lookback::RangeError);
  CHECK(tokenizer->display(286) == "\xE4\xBD\xA0");
}
