// SPDX-License-Identifier: MIT
#include "lookback/io/byte_level.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace lookback::io;

TEST_CASE("byte level: the characters that GPT-2's files hold", "[io][tokenizer]") {
  CHECK(write_bytes(" the") == "\u0120the");
  CHECK(write_bytes("\n\t\r") == "\u010A\u0109\u010D");
  CHECK(write_bytes("\xE6\x97\xA5") == "\u00E6\u0139\u00A5");
  CHECK(write_bytes(std::string("\0\x20\x7F\xA0\xAD", 5)) == "\u0100\u0120\u0121\u0142\u0143");
  CHECK(write_bytes("!~\xA1\xAC\xAE\xFF") == "!~\u00A1\u00AC\u00AE\u00FF");
}

TEST_CASE("byte level: 256 bytes, 256 characters, and back", "[io][tokenizer]") {
  std::set<std::string> characters;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    characters.insert(write_bytes(text));
    CHECK(read_bytes(write_bytes(text)) == text);
  }
  CHECK(characters.size() == 256);
}

TEST_CASE("byte level: characters that stand for no byte", "[io][tokenizer]") {
  for (const char* text : {" ", "\n", "\x7F", "\u00A0", "\u00AD", "\u0144", "\u0200", "\u65E5", "\U0001F600", "\xC4",
                           "\xC4"
                           "a",
                           "\x80"}) {
    INFO(text);
    CHECK_FALSE(read_bytes(text).has_value());
    CHECK_FALSE(read_bytes(std::string("a") + text).has_value());
  }
  CHECK(read_bytes("") == "");
}

TEST_CASE("byte level: a normal piece is bytes, or text where it isn't written so; others stand as they are",
          "[io][tokenizer]") {
  CHECK(byte_level_piece("\u0120a", TokenKind::normal) == " a");
  CHECK(byte_level_piece("two words", TokenKind::normal) == "two words");
  CHECK(byte_level_piece("\u0120a", TokenKind::control) == "\u0120a");
}
