// SPDX-License-Identifier: MIT
// One replaced by the other.
#include "lookback/io/visible_space.hpp"

namespace lookback::io {

namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_here = text.substr(at).starts_with(from);
    result += is_here ? to : text.substr(at, 1);
    at += is_here ? from.size() : 1;
  }
  return result;
}

constexpr std::string_view kVisibleSpace = "\xE2\x96\x81";

}  // namespace

std::string with_spaces(std::string_view written) { return replaced(written, kVisibleSpace, " "); }
std::string with_visible_spaces(std::string_view piece) { return replaced(piece, " ", kVisibleSpace); }

}  // namespace lookback::io
