// SPDX-License-Identifier: MIT
// Recognising what is no data at all.
#include "lookback/io/content.hpp"

#include <algorithm>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::io {

namespace {

/// The first visible characters in lower case, without a byte order mark.
std::string beginning(std::span<const std::byte> bytes) {
  std::string result;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 256))) {
    const char c = static_cast<char>(byte);
    const bool is_skipped = c == ' ' || c == '\n' || c == '\r' || c == '\t' || byte >= std::byte{0x80};
    if (result.empty() && is_skipped) continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace

void check_is_data(const char* what, std::span<const std::byte> bytes) {
  if (bytes.empty()) throw FormatError(message(what, ": the content is empty, 0 bytes"));
  const std::string text = beginning(bytes);
  for (const char* mark : {"<!do", "<html", "<head", "<?xml"}) {
    if (text.starts_with(mark)) {
      throw FormatError(
          message(what, ": this is an HTML page, not a ", what, "; perhaps the address answers with its error page"));
    }
  }
}

}  // namespace lookback::io
