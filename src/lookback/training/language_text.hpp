// SPDX-License-Identifier: MIT
// Text for language models: documents, and rows of tokens cut from them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lookback/io/tokenizer.hpp"

namespace lookback::training {

/// The documents of a text in which each ends with "<|endoftext|>", the last one perhaps without; spaces and line ends
/// around them are dropped, and so are empty ones.
std::vector<std::string_view> split_documents(std::string_view text);

/// A document's tokens, without start or end.
struct Document {
  std::vector<io::TokenId> ids{};
  std::int64_t num_bytes = 0;  ///< of its text
};

Document tokenised(const io::Tokenizer& tokenizer, std::string_view text);

/// All documents, each after a separator, in a new random order in each epoch, as one stream that is cut into rows of
/// `length` + 1 tokens; a row begins with the token that the row before ended with, so that every token is predicted
/// once an epoch. What is left at an epoch's end is dropped. The same seed gives the same rows.
class PackedRows {
 public:
  /// Throws ValueError unless length is 1 or more and an epoch gives at least one row.
  PackedRows(std::vector<Document> documents, io::TokenId separator, std::int64_t length, std::uint64_t seed);

  std::vector<std::int64_t> next();

  std::int64_t rows_per_epoch() const { return (num_tokens_ - 1) / length_; }
  std::int64_t length() const { return length_; }
  std::int64_t num_tokens() const { return num_tokens_; }
  /// Rows drawn since the beginning: all there is to go on from.
  std::int64_t position() const { return position_; }
  /// Throws RangeError for a negative position.
  void seek(std::int64_t position);

 private:
  void shuffle(std::int64_t epoch);

  std::vector<Document> documents_;
  io::TokenId separator_;
  std::int64_t length_;
  std::uint64_t seed_;
  std::int64_t num_tokens_ = 0;
  std::int64_t position_ = 0;
  std::int64_t epoch_ = -1;
  std::vector<io::TokenId> stream_{};
};

/// A seed for stream number `index` of a run: distinct and unrelated ones for distinct arguments.
/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t index);

}  // namespace lookback::training
