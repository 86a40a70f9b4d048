// SPDX-License-Identifier: MIT
// How a text is cut before byte pairs are merged: merges never cross these cuts.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lookback/io/unicode.hpp"
#include "lookback/io/vocabulary.hpp"

namespace lookback::io {

/// Cuts a text exactly as the regular expressions of the models do, without a regular-expression engine; every byte is
/// in one part. Of the alternatives the first that matches counts:
///   gpt2    's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///   llama3  (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+
///           |\s+(?!\S)|\s+
///   smollm  \p{N} alone, then gpt2 in what lies between, as if it were the whole text
class PreTokenizer {
 public:
  explicit PreTokenizer(TextSplit split) : split_(split) {}

  /// Bytes of the first part of a text that is valid UTF-8; 0 only for the empty one. What follows a part is cut as if
  /// it were a text of its own.
  std::size_t first_part(std::string_view text) const;

  std::vector<std::string_view> split(std::string_view text) const;

 private:
  struct Matcher;
  TextSplit split_;
  UnicodeClasses classes_;
};

}  // namespace lookback::io
