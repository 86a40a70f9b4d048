// SPDX-License-Identifier: MIT
// Texts to ids and back.
#include "lookback/training/alphabet.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"

using namespace lookback::training;
using lookback::test::error_of;

using Texts = std::vector<std::string>;

TEST_CASE("units_of: characters of one to four bytes, words between any spaces", "[training]") {
  CHECK(units_of("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82 b", Unit::character) ==
        Texts{"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x99\x82", " ", "b"});
  CHECK(units_of("  the  quick\tfox\r\n", Unit::word) == Texts{"the", "quick", "fox"});
  CHECK(units_of("", Unit::character).empty());
  CHECK(units_of(" \n", Unit::word).empty());
}

TEST_CASE("units_of: bytes that are no UTF-8 lose nothing and end", "[training]") {
  for (const std::string text : {"\xF0", "a\xE2\x82", "\x80\x80", "\xFF\xFF"}) {
    std::string joined;
    for (const std::string& unit : units_of(text, Unit::character)) joined += unit;
    CHECK(joined == text);
  }
}

TEST_CASE("alphabet: ids count from the first symbol on, and back", "[training]") {
  const Alphabet letters({"a", "b", "\xC3\xA9"}, Unit::character);
  CHECK(letters.vocabulary() == 6);
  CHECK(letters.ids_of("b\xC3\xA9"
                       "a") == Ids{4, 5, 3});
  CHECK(letters.text_of({4, 5, 3}) ==
        "b\xC3\xA9"
        "a");
  CHECK(letters.ids_of("").empty());
  const Alphabet words({"new", "york"}, Unit::word);
  CHECK(words.ids_of(" york  new ") == Ids{4, 3});
  CHECK(words.text_of({4, 3}) == "york new");
  CHECK(words.has("york"));
  CHECK(!words.has("yor"));
}

TEST_CASE("alphabet: padding, start and end add nothing to a text", "[training]") {
  CHECK(Alphabet({"a", "b"}, Unit::word).text_of({1, 3, 0, 4, 2, 0}) == "a b");
}

TEST_CASE("alphabet: what is not known is named", "[training]") {
  const Alphabet letters({"a", "b"}, Unit::character);
  CHECK(error_of([&] { return letters.ids_of("abx"); }) ==
        "value: alphabet: 'x', number 3 of the input, is not known; known are: a b");
  CHECK(error_of([&] { return letters.text_of({5}); }) == "range: alphabet: id 5 is outside [0, 5)");
  CHECK(error_of([&] { return letters.text_of({-1}); }) == "range: alphabet: id -1 is outside [0, 5)");
  CHECK(error_of([&] {
          return Alphabet({"a", "a"}, Unit::character);
        }) == "value: alphabet: symbol 'a' is empty or there twice");
  CHECK(error_of([&] { return Alphabet({""}, Unit::character); }) ==
        "value: alphabet: symbol '' is empty or there twice");
}
