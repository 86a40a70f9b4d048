// SPDX-License-Identifier: MIT
// Merging by rank.
#include "lookback/io/bpe_tokenizer.hpp"

#include <algorithm>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/symbol_merger.hpp"

namespace lookback::io {

namespace {

std::uint64_t key(const TokenMerge& pair) {
  return static_cast<std::uint64_t>(pair.left) << 32 | static_cast<std::uint32_t>(pair.right);
}

}  // namespace

struct BpeTokenizer::Merger : SymbolMerger {
  const std::vector<Rule>& rules;
  explicit Merger(const std::vector<Rule>& list) : rules(list) {}

  Join join(const Symbol& left, const Symbol& right) const override {
    const std::uint64_t wanted = key({left.id, right.id});
    const auto found = std::lower_bound(rules.begin(), rules.end(), wanted,
                                        [](const Rule& rule, std::uint64_t value) { return key(rule.pair) < value; });
    if (found == rules.end() || key(found->pair) != wanted) return {};
    return {found->joined, -static_cast<double>(found->rank)};
  }
};

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary)
    : Tokenizer(std::move(vocabulary)), pre_tokenizer_(this->vocabulary().split) {
  const Vocabulary& v = this->vocabulary();
  if (!v.is_byte_level()) throw FormatError("BpeTokenizer: the vocabulary merges by score");
  for (TokenId id = 0; id < size(); ++id) {
    const auto index = static_cast<std::size_t>(id);
    const bool is_text = v.kinds[index] == TokenKind::normal || v.kinds[index] == TokenKind::user_defined;
    if (is_text) pieces_.add(v.pieces[index], id);
  }
  pieces_.sort();
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    byte_tokens_[byte] = pieces_.find({&c, 1});
  }
  rules_.reserve(v.merges.size());
  for (const TokenMerge& pair : v.merges) {
    const std::string piece =
        v.pieces[static_cast<std::size_t>(pair.left)] + v.pieces[static_cast<std::size_t>(pair.right)];
    const TokenId joined = pieces_.find(piece);
    if (joined == kNoToken) {
      throw FormatError(message("BpeTokenizer: merge ", rules_.size(), " joins the tokens ", pair.left, " and ",
                                pair.right, ", but no token has their text"));
    }
    rules_.push_back({pair, static_cast<std::uint32_t>(rules_.size()), joined});
  }
  std::sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) {
    return key(a.pair) != key(b.pair) ? key(a.pair) < key(b.pair) : a.rank < b.rank;
  });
}

void BpeTokenizer::encode_part(std::string_view part, Merger& merger, std::vector<TokenId>& output) const {
  const TokenId whole = vocabulary().ignore_merges ? pieces_.find(part) : kNoToken;
  if (whole != kNoToken) {
    output.push_back(whole);
    return;
  }
  merger.clear();
  for (const char c : part) {
    const TokenId byte = byte_tokens_[static_cast<unsigned char>(c)];
    const TokenId id = byte != kNoToken ? byte : vocabulary().unknown;
    if (id != kNoToken) merger.add(1, id);
  }
  merger.merge_all();
  for (const Symbol& symbol : merger.symbols()) {
    if (symbol.size != 0) output.push_back(symbol.id);
  }
}

void BpeTokenizer::encode_text(std::string_view text, bool, std::vector<TokenId>& output) const {
  Merger merger(rules_);
  while (!text.empty()) {
    const std::size_t size = pre_tokenizer_.first_part(text);
    encode_part(text.substr(0, size), merger, output);
    text.remove_prefix(size);
  }
}

std::string BpeTokenizer::text_bytes(TokenId id) const { return vocabulary().pieces[static_cast<std::size_t>(id)]; }

}  // namespace lookback::io
