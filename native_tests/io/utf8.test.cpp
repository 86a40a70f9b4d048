// SPDX-License-Identifier: MIT
#include "lookback/io/utf8.hpp"

#include <catch2/catch_test_macros.hpp>

using lookback::io::first_character;
using lookback::io::Utf8Stream;
using lookback::io::valid_utf8;

TEST_CASE("utf8: valid text of every length passes unchanged", "[io][tokenizer]") {
  const std::string text = std::string("a\0b", 3) + "\xC3\xA9\xE4\xBD\xA0\xF0\x9F\x99\x82\xF4\x8F\xBF\xBF";
  CHECK(valid_utf8(text) == text);
  CHECK(valid_utf8("").empty());
}

TEST_CASE("utf8: each invalid part becomes one U+FFFD", "[io][tokenizer]") {
  const std::string mark = "\xEF\xBF\xBD";
  CHECK(valid_utf8("a\xFFz") == "a" + mark + "z");
  CHECK(valid_utf8("\x80\x80") == mark + mark);
  CHECK(valid_utf8("\xC0\xAF") == mark + mark);                        // overlong
  CHECK(valid_utf8("\xE0\x80\x80") == mark + mark + mark);             // overlong
  CHECK(valid_utf8("\xF0\x9F\x99") == mark);                           // cut short
  CHECK(valid_utf8("\xE4\xBDz") == mark + "z");                        // cut short by a letter
  CHECK(valid_utf8("\xF4\x90\x80\x80") == mark + mark + mark + mark);  // above U+10FFFF
  CHECK(valid_utf8("a\xED\xA0\xBD"
                   "b") == "a" + mark + "b");  // half of a surrogate pair
}

TEST_CASE("utf8: a stream holds a character back until it is whole", "[io][tokenizer]") {
  Utf8Stream stream;
  CHECK(stream.push("\xF0\x9F") == "");
  CHECK(stream.push("\x99") == "");
  CHECK(stream.push("\x82!") == "\xF0\x9F\x99\x82!");
  CHECK(stream.push("\xE4") == "");
  CHECK(stream.push("z") == "\xEF\xBF\xBDz");
  CHECK(stream.push("\xE4\xBD") == "");
  CHECK(stream.finish() == "\xEF\xBF\xBD");
  CHECK(stream.finish().empty());
}

TEST_CASE("utf8: incomplete is told from invalid", "[io][tokenizer]") {
  CHECK(first_character("\xE4\xBD").is_incomplete);
  CHECK_FALSE(first_character("\xE4z").is_incomplete);
  CHECK(first_character("\xE4z").size == 1);
  CHECK(first_character("").size == 0);
}
