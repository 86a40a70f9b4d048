// SPDX-License-Identifier: MIT
// Merging by score: a linked list of symbols, and a heap of the pairs that could be joined.
#include "lookback/io/spm_tokenizer.hpp"

#include <algorithm>
#include <queue>
#include <string>

namespace lookback::io {

namespace {

constexpr std::int32_t kNone = -1;

/// A run of the text; merged-away symbols have size 0.
struct Symbol {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::int32_t previous = kNone;
  std::int32_t next = kNone;
};

/// Two neighbours that form a piece; stale when either has changed its size since.
struct Pair {
  float score = 0.0f;
  std::int32_t left = kNone;
  std::int32_t right = kNone;
  std::size_t size = 0;

  /// For a heap whose top is the highest score, the leftmost on a tie.
  bool operator<(const Pair& other) const { return score != other.score ? score < other.score : left > other.left; }
};

std::vector<Symbol> split_characters(std::string_view text) {
  std::vector<Symbol> symbols;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = first_character(text.substr(at, 4)).size;
    const auto index = static_cast<std::int32_t>(symbols.size());
    symbols.push_back({at, size, index - 1, index + 1});
    at += size;
  }
  symbols.back().next = kNone;
  return symbols;
}

}  // namespace

struct SpmTokenizer::Merger {
  const SpmTokenizer& tokenizer;
  std::string_view text;
  std::vector<Symbol> symbols;
  std::priority_queue<Pair> pairs;

  void offer(std::int32_t left, std::int32_t right) {
    if (left == kNone || right == kNone) return;
    const Symbol& a = symbols[static_cast<std::size_t>(left)];
    const std::size_t size = a.size + symbols[static_cast<std::size_t>(right)].size;
    const TokenId id = tokenizer.find(text.substr(a.begin, size));
    if (id != kNoToken) pairs.push({tokenizer.vocabulary().scores[static_cast<std::size_t>(id)], left, right, size});
  }

  void merge_all() {
    for (std::size_t i = 1; i < symbols.size(); ++i)
      offer(static_cast<std::int32_t>(i - 1), static_cast<std::int32_t>(i));
    while (!pairs.empty()) {
      const Pair pair = pairs.top();
      pairs.pop();
      Symbol& left = symbols[static_cast<std::size_t>(pair.left)];
      Symbol& right = symbols[static_cast<std::size_t>(pair.right)];
      const bool is_stale = left.size == 0 || right.size == 0 || left.size + right.size != pair.size;
      if (is_stale) continue;
      left.size = pair.size;
      right.size = 0;
      left.next = right.next;
      if (right.next != kNone) symbols[static_cast<std::size_t>(right.next)].previous = pair.left;
      offer(left.previous, pair.left);
      offer(pair.left, left.next);
    }
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
    sorted_.push_back(id);
    longest_ = std::max(longest_, v.pieces[index].size());
  }
  std::sort(sorted_.begin(), sorted_.end(), [&](TokenId a, TokenId b) {
    const int order = v.pieces[static_cast<std::size_t>(a)].compare(v.pieces[static_cast<std::size_t>(b)]);
    return order != 0 ? order < 0 : a < b;
  });
}

TokenId SpmTokenizer::find(std::string_view piece) const {
  if (piece.size() > longest_) return kNoToken;
  const auto& pieces = vocabulary().pieces;
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), piece, [&](TokenId id, std::string_view wanted) {
    return pieces[static_cast<std::size_t>(id)] < wanted;
  });
  return found != sorted_.end() && pieces[static_cast<std::size_t>(*found)] == piece ? *found : kNoToken;
}

void SpmTokenizer::append_piece(std::string_view piece, std::vector<TokenId>& output) const {
  const TokenId id = find(piece);
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
  Merger merger{*this, prefixed, split_characters(prefixed), {}};
  merger.merge_all();
  for (const Symbol& symbol : merger.symbols) {
    if (symbol.size != 0) append_piece(std::string_view(prefixed).substr(symbol.begin, symbol.size), output);
  }
}

std::string SpmTokenizer::text_bytes(TokenId id) const { return vocabulary().pieces[static_cast<std::size_t>(id)]; }

}  // namespace lookback::io
