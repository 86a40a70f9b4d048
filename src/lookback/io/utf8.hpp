// SPDX-License-Identifier: MIT
// UTF-8 that may be broken or arrive in parts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lookback::io {

/// One character at the front of a text.
struct Utf8Character {
  std::size_t size = 0;        ///< bytes to step over; 0 only for an empty text
  bool is_valid = false;       ///< false: these bytes stand for one U+FFFD
  bool is_incomplete = false;  ///< not valid, but more bytes at the end of the text could make it so
};

/// Surrogates, overlong forms and numbers above U+10FFFF are invalid; an invalid run is cut as the Unicode standard
/// (3.9, "substitution of maximal subparts") and browsers do, but a surrogate's three bytes are one part.
Utf8Character first_character(std::string_view text);

/// The text with every invalid part replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Turns a stream of bytes into whole characters.
class Utf8Stream {
 public:
  /// The characters that are complete now; an unfinished one waits, an invalid part becomes U+FFFD at once.
  std::string push(std::string_view bytes);
  /// What was waiting, as U+FFFD; empty when nothing was.
  std::string finish();

 private:
  std::string pending_;
};

}  // namespace lookback::io
