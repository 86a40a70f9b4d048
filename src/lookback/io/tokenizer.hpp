// SPDX-License-Identifier: MIT
// Text to token ids and back, whatever the algorithm.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookback/io/utf8.hpp"
#include "lookback/io/vocabulary.hpp"

namespace lookback::io {

struct EncodeOptions {
  bool add_start = true;       ///< the start token in front, if the vocabulary has one and wants it
  bool parse_special = false;  ///< the names of control tokens ("</s>") become those tokens; else they are plain text
};

struct DecodeOptions {
  bool skip_special = true;  ///< control tokens add nothing; else they add their name
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  TokenId size() const { return vocabulary_.size(); }

  /// Token ids of a text; invalid UTF-8 counts as U+FFFD. The empty text gives the start token alone, or nothing.
  /// User-defined tokens of a byte-level vocabulary are cut out of the text before anything else.
  /// O(n log n) time, no recursion.
  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options = {}) const;

  /// The text of the ids, always valid UTF-8. One space right after a start token is dropped when the vocabulary adds
  /// one. Throws RangeError for an id outside the vocabulary.
  std::string decode(std::span<const TokenId> ids, const DecodeOptions& options = {}) const;

  /// The bytes that the token adds to a text; not always whole characters. Empty for control and unknown tokens.
  std::string bytes_of(TokenId id) const;

  /// The token alone, as text that can be shown: "<0x0A>" for a byte, the name of a control token, "<0xE4><0xBD>" for
  /// bytes that are not whole characters.
  std::string display(TokenId id) const;

  bool is_special(TokenId id) const;
  /// True for the end token, and for the start token, which begins the next document.
  bool ends_text(TokenId id) const { return id == vocabulary_.end || id == vocabulary_.start; }

 protected:
  explicit Tokenizer(Vocabulary vocabulary);
  /// Appends the ids of plain text (valid UTF-8, not empty); `is_first`: it begins the input.
  virtual void encode_text(std::string_view text, bool is_first, std::vector<TokenId>& output) const = 0;
  /// The bytes of a text token.
  virtual std::string text_bytes(TokenId id) const = 0;
  void check_id(const char* function, TokenId id) const;

 private:
  bool is_cut(TokenId id, bool parse_special) const;
  void encode_with_names(const std::string& text, bool parse_special, std::vector<TokenId>& output) const;
  Vocabulary vocabulary_;
  std::vector<TokenId> named_;           ///< tokens whose names may be cut out of a text, longest first
  std::array<bool, 256> starts_name_{};  ///< by first byte
};

/// Decodes ids one at a time, as they are generated: the parts put together are what decode() gives for all of them.
class TextStream {
 public:
  /// The tokenizer must outlive the stream.
  explicit TextStream(const Tokenizer& tokenizer, const DecodeOptions& options = {})
      : tokenizer_(tokenizer), options_(options) {}

  /// What this token adds to the text; empty while a character is incomplete.
  std::string push(TokenId id);
  /// What was still incomplete, as U+FFFD.
  std::string finish() { return utf8_.finish(); }

 private:
  const Tokenizer& tokenizer_;
  DecodeOptions options_;
  Utf8Stream utf8_;
  bool is_after_start_ = false;
};

}  // namespace lookback::io
