// SPDX-License-Identifier: MIT
// Merging by the scores of pieces.
#include "lookback/io/spm_tokenizer.hpp"

#include <string>

#include "lookback/io/symbol_merger.hpp"

namespace lookback::io {

struct SpmTokenizer::Merger : SymbolMerger {
  const SpmTokenizer& tokenizer;
  std::string_view text;

  Merger(const SpmTokenizer& owner, std::string_view merged) : tokenizer(owner), text(merged) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = first_character(text.substr(at, 4)).size;
      add(size, kNoToken);
      at += size;
    }
  }

  Join join(const Symbol& left, const Symbol& right) const override {
    const TokenId id = tokenizer.pieces_.find(text.substr(left.begin, left.size + right.size));
    return {id,
            id == kNoToken ? 0.0 : static_cast<double>(tokenizer.vocabulary().scores[static_cast<std::size_t>(id)])};
  }
};

SpmTokenizer::SpmTokenizer(Vocabulary vocabulary) : Tokenizer(std::move(vocabulary)) {
  const Vocabulary& v = this->vocabulary();
  byte_tokens_.fill(kNoToken);
  for (TokenId id = 0; id < size(); ++id) {
    const auto index = static_cast<std::size_t>(id);
    const TokenKind kind = v.kinds[index];
    if (kind == TokenKind::byte) byte_tokens_[static_cast<std::size_t>(byte_of_piece(v.pieces[index]))] = id;
    if (kind != TokenKind::normal && kind != TokenKind::user_defined) continue;
    pieces_.add(v.pieces[index], id);
  }
  pieces_.sort();
}

void SpmTokenizer::append_piece(std::string_view piece, std::vector<TokenId>& output) const {
  const TokenId id = pieces_.find(piece);
  if (id != kNoToken) {
    output.push_back(id);
    return;
  }
  for (const char c : piece) {
    const TokenId byte = byte_tokens_[static_cast<unsigned char>(c)];
    if (byte != kNoToken) {
      output.push_back(byte);
    } else if (vocabulary().unknown != kNoToken) {
      output.push_back(vocabulary().unknown);
      return;
    }
  }
}

void SpmTokenizer::encode_text(std::string_view text, bool is_first, std::vector<TokenId>& output) const {
  const bool has_prefix = is_first && vocabulary().add_space_prefix;
  std::string prefixed(has_prefix ? 1 : 0, ' ');
  prefixed += text;
  Merger merger(*this, prefixed);
  merger.merge_all();
  for (const Symbol& symbol : merger.symbols()) {
    if (symbol.size != 0) append_piece(std::string_view(prefixed).substr(symbol.begin, symbol.size), output);
  }
}

std::string SpmTokenizer::text_bytes(TokenId id) const { return vocabulary().pieces[static_cast<std::size_t>(id)]; }

}  // namespace lookback::io
