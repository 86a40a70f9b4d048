// SPDX-License-Identifier: MIT
// Byte-pair encoding as SentencePiece does it: merges by score, with bytes as a last resort.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "lookback/io/piece_index.hpp"
#include "lookback/io/tokenizer.hpp"

namespace lookback::io {

/// Starts from single characters and, while any neighbours form a known piece, joins the pair with the highest score,
/// the leftmost on a tie. Characters without a piece become byte tokens, or the unknown token when there are none.
/// Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016; Kudo, Richardson,
/// "SentencePiece", 2018.
class SpmTokenizer : public Tokenizer {
 public:
  /// Throws FormatError when the vocabulary contradicts itself.
  explicit SpmTokenizer(Vocabulary vocabulary);

 protected:
  void encode_text(std::string_view text, bool is_first, std::vector<TokenId>& output) const override;
  std::string text_bytes(TokenId id) const override;

 private:
  void append_piece(std::string_view piece, std::vector<TokenId>& output) const;
  struct Merger;

  PieceIndex pieces_;  ///< of text tokens
  std::array<TokenId, 256> byte_tokens_;
};

}  // namespace lookback::io
