// SPDX-License-Identifier: MIT
// The 256 characters as a closed form instead of a table.
#include "lookback/io/byte_level.hpp"

namespace lookback::io {

namespace {

constexpr unsigned kFirstMoved = 256;           // bytes 0 to 32
constexpr unsigned kSecondMoved = 256 + 33;     // bytes 127 to 160
constexpr unsigned kLastMoved = 256 + 33 + 34;  // byte 173

unsigned character_of(unsigned byte) {
  if (byte <= 32) return kFirstMoved + byte;
  if (byte >= 127 && byte <= 160) return kSecondMoved + byte - 127;
  return byte == 173 ? kLastMoved : byte;
}

/// The byte, or 256 and more for a character that stands for none.
unsigned byte_of(unsigned character) {
  if (character == kLastMoved) return 173;
  if (character >= kSecondMoved && character < kLastMoved) return character - kSecondMoved + 127;
  if (character >= kFirstMoved && character < kSecondMoved) return character - kFirstMoved;
  return character < 256 && character_of(character) == character ? character : 256;
}

}  // namespace

std::string write_bytes(std::string_view bytes) {
  std::string written;
  for (const char c : bytes) {
    const unsigned character = character_of(static_cast<unsigned char>(c));
    if (character >= 128) written += static_cast<char>(0xC0 | character >> 6);
    written += static_cast<char>(character >= 128 ? 0x80 | (character & 0x3F) : character);
  }
  return written;
}

std::optional<std::string> read_bytes(std::string_view written) {
  std::string bytes;
  for (std::size_t at = 0; at < written.size(); ++at) {
    unsigned character = static_cast<unsigned char>(written[at]);
    // All of the 256 characters have one or two bytes of UTF-8.
    if (character >= 0xC2 && character <= 0xDF && at + 1 < written.size()) {
      const unsigned next = static_cast<unsigned char>(written[++at]);
      if ((next & 0xC0) != 0x80) return std::nullopt;
      character = (character & 0x1F) << 6 | (next & 0x3F);
    } else if (character >= 0x80) {
      return std::nullopt;
    }
    const unsigned byte = byte_of(character);
    if (byte > 255) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string byte_level_piece(std::string_view written, TokenKind kind) {
  if (kind != TokenKind::normal) return std::string(written);
  return read_bytes(written).value_or(std::string(written));
}

}  // namespace lookback::io
