// SPDX-License-Identifier: MIT
// What all tokenizers share: special tokens, decoding, streams.
#include "lookback/io/tokenizer.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::io {

namespace {

Vocabulary checked(Vocabulary vocabulary) {
  vocabulary.check();
  return vocabulary;
}

/// "<0xE4><0xBD>"
std::string listed_bytes(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
  }
  return text;
}

}  // namespace

Tokenizer::Tokenizer(Vocabulary vocabulary) : vocabulary_(checked(std::move(vocabulary))) {
  for (TokenId id = 0; id < size(); ++id) {
    const auto index = static_cast<std::size_t>(id);
    const std::string& name = vocabulary_.pieces[index];
    if (name.empty() || !is_cut(id, true)) continue;
    named_.push_back(id);
    starts_name_[static_cast<unsigned char>(name[0])] = true;
  }
  std::stable_sort(named_.begin(), named_.end(), [&](TokenId a, TokenId b) {
    return vocabulary_.pieces[static_cast<std::size_t>(a)].size() >
           vocabulary_.pieces[static_cast<std::size_t>(b)].size();
  });
}

bool Tokenizer::is_cut(TokenId id, bool parse_special) const {
  const TokenKind kind = vocabulary_.kinds[static_cast<std::size_t>(id)];
  return kind == TokenKind::control ? parse_special : kind == TokenKind::user_defined && vocabulary_.is_byte_level();
}

void Tokenizer::check_id(const char* function, TokenId id) const {
  if (id < 0 || id >= size())
    throw RangeError(message(function, ": token ", id, " is outside the vocabulary of ", size()));
}

bool Tokenizer::is_special(TokenId id) const {
  check_id("is_special", id);
  const TokenKind kind = vocabulary_.kinds[static_cast<std::size_t>(id)];
  return kind == TokenKind::control || kind == TokenKind::unknown;
}

std::string Tokenizer::bytes_of(TokenId id) const {
  check_id("bytes_of", id);
  if (is_special(id)) return {};
  const std::string& piece = vocabulary_.pieces[static_cast<std::size_t>(id)];
  if (vocabulary_.kinds[static_cast<std::size_t>(id)] == TokenKind::byte)
    return std::string(1, static_cast<char>(byte_of_piece(piece)));
  return text_bytes(id);
}

std::string Tokenizer::display(TokenId id) const {
  check_id("display", id);
  const TokenKind kind = vocabulary_.kinds[static_cast<std::size_t>(id)];
  const bool is_text = kind != TokenKind::byte && !is_special(id);
  const std::string text = is_text ? text_bytes(id) : vocabulary_.pieces[static_cast<std::size_t>(id)];
  const std::string valid = valid_utf8(text);
  return valid == text || !vocabulary_.is_byte_level() ? valid : listed_bytes(text);
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  std::vector<TokenId> ids;
  if (options.add_start && vocabulary_.add_start && vocabulary_.start != kNoToken) ids.push_back(vocabulary_.start);
  const std::string valid = valid_utf8(text);
  if (options.parse_special || vocabulary_.is_byte_level())
    encode_with_names(valid, options.parse_special, ids);
  else if (!valid.empty())
    encode_text(valid, true, ids);
  return ids;
}

/// Cuts the text at the names of tokens, the longest name first where several fit.
void Tokenizer::encode_with_names(const std::string& text, bool parse_special, std::vector<TokenId>& output) const {
  bool is_first = true;
  std::size_t begin = 0;
  const auto encode_up_to = [&](std::size_t end) {
    if (end == begin) return;
    encode_text(std::string_view(text).substr(begin, end - begin), is_first, output);
    is_first = false;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto is_here = [&](TokenId id) {
      const std::string& name = vocabulary_.pieces[static_cast<std::size_t>(id)];
      return is_cut(id, parse_special) && text.compare(at, name.size(), name) == 0;
    };
    const bool may_start = starts_name_[static_cast<unsigned char>(text[at])];
    const auto found = may_start ? std::find_if(named_.begin(), named_.end(), is_here) : named_.end();
    if (found == named_.end()) {
      ++at;
      continue;
    }
    encode_up_to(at);
    output.push_back(*found);
    at += vocabulary_.pieces[static_cast<std::size_t>(*found)].size();
    begin = at;
  }
  encode_up_to(text.size());
}

std::string Tokenizer::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
  TextStream stream(*this, options);
  std::string text;
  for (const TokenId id : ids) text += stream.push(id);
  return text + stream.finish();
}

std::string TextStream::push(TokenId id) {
  const bool is_special = tokenizer_.is_special(id);
  std::string bytes = is_special && !options_.skip_special ? tokenizer_.display(id) : tokenizer_.bytes_of(id);
  const bool drops_space =
      is_after_start_ && tokenizer_.vocabulary().add_space_prefix && !is_special && bytes.starts_with(' ');
  if (drops_space) bytes.erase(0, 1);
  is_after_start_ = id == tokenizer_.vocabulary().start;
  return utf8_.push(bytes);
}

}  // namespace lookback::io
