// SPDX-License-Identifier: MIT
// Classes of code points: run lengths in the program, unpacked to bounds for a binary search.
#include "lookback/io/unicode.hpp"

#include <algorithm>
#include <span>

#include "lookback/io/unicode_tables.hpp"
#include "lookback/io/utf8.hpp"

namespace lookback::io {

namespace {

std::vector<char32_t> unpack(std::span<const std::uint8_t> packed) {
  std::vector<char32_t> bounds;
  char32_t bound = 0;
  int shift = 0;
  for (const std::uint8_t byte : packed) {
    bound += static_cast<char32_t>(byte & 0x7F) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    bounds.push_back(bound);
    shift = 0;
  }
  return bounds;
}

bool is_inside(const std::vector<char32_t>& bounds, char32_t code) {
  return (std::upper_bound(bounds.begin(), bounds.end(), code) - bounds.begin()) % 2 == 1;
}

bool is_white_space(char32_t code) {
  const bool is_latin = (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0;
  const bool is_general_punctuation =
      (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F;
  return is_latin || is_general_punctuation || code == 0x1680 || code == 0x3000;
}

/// The code point of a valid character's bytes.
char32_t code_of(std::string_view bytes) {
  auto code = static_cast<char32_t>(static_cast<unsigned char>(bytes[0]));
  if (bytes.size() > 1) code &= 0x7Fu >> bytes.size();
  for (const char c : bytes.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return code;
}

}  // namespace

UnicodeClasses::UnicodeClasses() : letter_bounds_(unpack(kLetters)), number_bounds_(unpack(kNumbers)) {}

CharacterClass UnicodeClasses::of(char32_t code) const {
  if (is_white_space(code)) return CharacterClass::space;
  if (is_inside(letter_bounds_, code)) return CharacterClass::letter;
  return is_inside(number_bounds_, code) ? CharacterClass::number : CharacterClass::other;
}

Character UnicodeClasses::at(std::string_view text, std::size_t at) const {
  if (at >= text.size()) return {};
  const std::string_view rest = text.substr(at, 4);
  const Utf8Character character = first_character(rest);
  const auto kind = character.is_valid ? of(code_of(rest.substr(0, character.size))) : CharacterClass::other;
  return {kind, character.size};
}

}  // namespace lookback::io
