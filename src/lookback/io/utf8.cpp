// SPDX-License-Identifier: MIT
// UTF-8 by its table of well-formed byte sequences (Unicode 15, table 3-7).
#include "lookback/io/utf8.hpp"

namespace lookback::io {

namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

struct Lead {
  std::size_t size = 0;  ///< bytes of the character; 0 for a byte that can't lead
  unsigned char second_low = 0x80;
  unsigned char second_high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
  if (lead.size == 0) return {1, false, false};
  for (std::size_t i = 1; i < lead.size; ++i) {
    if (i == text.size()) return {i, false, true};
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool fits = i == 1 ? byte >= lead.second_low && byte <= lead.second_high : byte >= 0x80 && byte <= 0xBF;
    if (!fits) return {i, false, false};
  }
  // Half of a surrogate pair, as JavaScript's strings may hold it, is one wrong character rather than three wrong
  // bytes.
  const bool is_surrogate = text.starts_with('\xED') && static_cast<unsigned char>(text[1]) >= 0xA0;
  return {lead.size, !is_surrogate, false};
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.is_valid)
      result += text.substr(0, character.size);
    else
      result += kReplacement;
    text.remove_prefix(character.size);
  }
  return result;
}

std::string Utf8Stream::push(std::string_view bytes) {
  pending_ += bytes;
  std::string_view rest = pending_;
  std::string result;
  while (!rest.empty()) {
    const Utf8Character character = first_character(rest);
    if (character.is_incomplete) break;
    if (character.is_valid)
      result += rest.substr(0, character.size);
    else
      result += kReplacement;
    rest.remove_prefix(character.size);
  }
  pending_ = std::string(rest);
  return result;
}

std::string Utf8Stream::finish() {
  const std::string result = pending_.empty() ? "" : kReplacement;
  pending_.clear();
  return result;
}

}  // namespace lookback::io
