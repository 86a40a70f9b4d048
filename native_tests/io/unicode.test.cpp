// SPDX-License-Identifier: MIT
#include "lookback/io/unicode.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/files.hpp"
#include "support/json.hpp"

using namespace lookback::io;
using enum CharacterClass;

TEST_CASE("unicode: every code point has the class that Python's regex gives it", "[io][unicode]") {
  const UnicodeClasses classes;
  std::uint64_t hash = 0xCBF29CE484222325;
  for (char32_t code = 0; code < 0x110000; ++code)
    hash = (hash ^ static_cast<std::uint64_t>(classes.of(code))) * 0x100000001B3;
  const auto golden = lookback::test::Json::read(lookback::test::fixture_path("pre_tokenizer.json"));
  CHECK(hash == std::stoull(golden["classes"].text(), nullptr, 16));
}

TEST_CASE("unicode: classes of a few characters", "[io][unicode]") {
  const UnicodeClasses classes;
  CHECK(classes.of('a') == letter);
  CHECK(classes.of('7') == number);
  CHECK(classes.of(0x85) == space);
  CHECK(classes.of(0x200B) == other);   // zero width space is none
  CHECK(classes.of(0x0301) == other);   // combining marks are no letters
  CHECK(classes.of(0x00BD) == number);  // one half
  CHECK(classes.of(0x10FFFF) == other);
}

TEST_CASE("unicode: characters are read where they stand", "[io][unicode]") {
  const UnicodeClasses classes;
  const std::string_view text = "a\xE6\x97\xA5\xE2\x82\xF0\x9F\x98\x80";
  CHECK(classes.at(text, 0).size == 1);
  CHECK(classes.at(text, 1).kind == letter);
  CHECK(classes.at(text, 1).size == 3);
  CHECK(classes.at(text, 4).kind == other);  // cut short
  CHECK(classes.at(text, 6).size == 4);
  CHECK(classes.at(text, 10).kind == end);
  CHECK(classes.at(text, 99).size == 0);
}
