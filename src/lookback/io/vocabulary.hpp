// SPDX-License-Identifier: MIT
// The tokens of a model: their text, scores and kinds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

/// How a text is cut before merging; see PreTokenizer.
enum class TextSplit : std::uint8_t {
  none,  ///< not at all, and pieces are merged by score: SentencePiece
  gpt2,  ///< these and all below: bytes are merged in the order of `merges`
  llama3,
  smollm,
};

/// Two neighbours that become the token whose piece is theirs, one after the other.
struct TokenMerge {
  TokenId left = kNoToken;
  TokenId right = kNoToken;
  friend bool operator==(const TokenMerge&, const TokenMerge&) = default;
};

/// Token i has piece, score and kind i. A piece of a text token is UTF-8 with plain spaces (no U+2581), or the bytes
/// themselves in a byte-level vocabulary; that of a byte token is "<0x0A>"; that of a control token is its name.
struct Vocabulary {
  std::vector<std::string> pieces;
  std::vector<float> scores;  ///< a pair with the higher score is merged first; zeros where merges are listed
  std::vector<TokenKind> kinds;
  TokenId start = kNoToken;  ///< BOS
  TokenId end = kNoToken;    ///< EOS
  TokenId unknown = kNoToken;
  bool add_start = true;         ///< the model expects the start token in front of a text
  bool add_space_prefix = true;  ///< a text is encoded as if it began with a space
  TextSplit split = TextSplit::none;
  std::vector<TokenMerge> merges;  ///< of a byte-level vocabulary: the first is merged first
  bool ignore_merges = false;      ///< of a byte-level vocabulary: a part that is a token needs no merges (Llama 3)

  bool is_byte_level() const { return split != TextSplit::none; }
  TokenId size() const { return static_cast<TokenId>(pieces.size()); }
  /// Throws FormatError when the three lists differ in length, are empty, or an id lies outside them; also for merges
  /// without byte-level pieces.
  void check() const;
};

/// The byte of "<0x0A>", or -1.
int byte_of_piece(std::string_view piece);

}  // namespace lookback::io
