// SPDX-License-Identifier: MIT
// Letters, numbers and white space among the code points of Unicode 14, the version of Oniguruma in Hugging Face's
// tokenizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lookback::io {

/// General categories L*, N*, the property White_Space, and all the rest.
enum class CharacterClass : std::uint8_t { other, letter, number, space, end };

/// A character and its class; size 0 and class `end` behind the text.
struct Character {
  CharacterClass kind = CharacterClass::end;
  std::size_t size = 0;  ///< bytes of UTF-8
};

class UnicodeClasses {
 public:
  UnicodeClasses();
  CharacterClass of(char32_t code) const;
  /// The character that begins at `at`; bytes that are no UTF-8 are `other`.
  Character at(std::string_view text, std::size_t at) const;

 private:
  // A code point is in the class when the number of bounds up to it is odd.
  std::vector<char32_t> letter_bounds_;
  std::vector<char32_t> number_bounds_;
};

}  // namespace lookback::io
