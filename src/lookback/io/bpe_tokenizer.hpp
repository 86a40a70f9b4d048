// SPDX-License-Identifier: MIT
// Byte-pair encoding as GPT-2 does it: on bytes, by a list of merges, within the parts of a pre-tokenizer.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lookback/io/piece_index.hpp"
#include "lookback/io/pre_tokenizer.hpp"
#include "lookback/io/tokenizer.hpp"

namespace lookback::io {

/// Cuts the text with PreTokenizer; starts from the single bytes of each part and, while any neighbours are a merge,
/// joins the pair that stands first in the list, the leftmost on a tie. A byte without a token becomes the unknown
/// token, or nothing when there is none, as in the original; all 256 make encoding reversible.
/// Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016; Radford et al.,
/// "Language Models are Unsupervised Multitask Learners", 2019.
class BpeTokenizer : public Tokenizer {
 public:
  /// Throws FormatError when the vocabulary contradicts itself: a merge whose joined piece is no token, scores instead
  /// of merges.
  explicit BpeTokenizer(Vocabulary vocabulary);

 protected:
  void encode_text(std::string_view text, bool is_first, std::vector<TokenId>& output) const override;
  std::string text_bytes(TokenId id) const override;

 private:
  struct Merger;
  /// A merge, sorted by its pair for binary search.
  struct Rule {
    TokenMerge pair;
    std::uint32_t rank;
    TokenId joined;
  };
  void encode_part(std::string_view part, Merger& merger, std::vector<TokenId>& output) const;

  PreTokenizer pre_tokenizer_;
  PieceIndex pieces_;  ///< of text tokens
  std::vector<Rule> rules_;
  std::array<TokenId, 256> byte_tokens_;
};

}  // namespace lookback::io
