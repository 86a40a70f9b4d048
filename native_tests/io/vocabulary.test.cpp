// SPDX-License-Identifier: MIT
#include "lookback/io/vocabulary.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "lookback/core/error.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using lookback::FormatError;
using lookback::io::byte_of_piece;
using lookback::io::TokenKind;
using lookback::io::Vocabulary;

namespace {
Vocabulary sample() {
  Vocabulary v;
  v.pieces = {"<unk>", "a"};
  v.scores = {0.0f, -1.0f};
  v.kinds = {TokenKind::unknown, TokenKind::normal};
  v.unknown = 0;
  return v;
}
}  // namespace

TEST_CASE("vocabulary: byte pieces are recognised by their whole form", "[io][tokenizer]") {
  CHECK(byte_of_piece("<0x0A>") == 10);
  CHECK(byte_of_piece("<0xff>") == 255);
  CHECK(byte_of_piece("<0x0G>") == -1);
  CHECK(byte_of_piece("<0x0A") == -1);
  CHECK(byte_of_piece("0x0A") == -1);
  CHECK(byte_of_piece("") == -1);
}

TEST_CASE("vocabulary: contradictions are refused", "[io][tokenizer]") {
  CHECK_NOTHROW(sample().check());
  CHECK_THROWS_AS(Vocabulary().check(), FormatError);

  Vocabulary short_scores = sample();
  short_scores.scores.pop_back();
  CHECK_THROWS_MATCHES(short_scores.check(), FormatError, MessageMatches(ContainsSubstring("2 tokens, 1 scores")));

  Vocabulary far_start = sample();
  far_start.start = 2;
  CHECK_THROWS_MATCHES(far_start.check(), FormatError, MessageMatches(ContainsSubstring("start token 2")));

  Vocabulary odd_score = sample();
  odd_score.scores[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(odd_score.check(), FormatError);

  Vocabulary odd_byte = sample();
  odd_byte.kinds[1] = TokenKind::byte;
  CHECK_THROWS_AS(odd_byte.check(), FormatError);
}
