// SPDX-License-Identifier: MIT
// The tokens of a model: their text, scores and kinds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lookback::io {

using TokenId = std::int32_t;
inline constexpr TokenId kNoToken = -1;

/// The numbers are GGUF's.
enum class TokenKind : std::uint8_t {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6,
};

/// Token i has piece, score and kind i. A piece of a text token is UTF-8 with plain spaces (no U+2581); that of a byte
/// token is "<0x0A>"; that of a control token is its name.
struct Vocabulary {
  std::vector<std::string> pieces;
  std::vector<float> scores;  ///< a pair with the higher score is merged first
  std::vector<TokenKind> kinds;
  TokenId start = kNoToken;  ///< BOS
  TokenId end = kNoToken;    ///< EOS
  TokenId unknown = kNoToken;
  bool add_start = true;         ///< the model expects the start token in front of a text
  bool add_space_prefix = true;  ///< a text is encoded as if it began with a space

  TokenId size() const { return static_cast<TokenId>(pieces.size()); }
  /// Throws FormatError when the three lists differ in length, are empty, or an id lies outside them.
  void check() const;
};

/// The byte of "<0x0A>", or -1.
int byte_of_piece(const std::string& piece);

}  // namespace lookback::io
