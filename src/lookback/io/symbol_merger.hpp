// SPDX-License-Identifier: MIT
// Joining neighbours in the order of their ranks: what all byte-pair encodings share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

#include "lookback/io/vocabulary.hpp"

namespace lookback::io {

/// A run of the text and its token; merged-away symbols have size 0.
struct Symbol {
  std::size_t begin = 0;
  std::size_t size = 0;
  TokenId id = kNoToken;
  std::int32_t previous = -1;
  std::int32_t next = -1;
};

/// While any neighbours can be joined, joins the pair with the highest score, the leftmost on a tie. O(n log n) time: a
/// linked list of symbols, and a heap of the pairs that could be joined.
class SymbolMerger {
 public:
  virtual ~SymbolMerger() = default;
  /// Appends a symbol that begins where the last one ends.
  void add(std::size_t size, TokenId id);
  void merge_all();
  const std::vector<Symbol>& symbols() const { return symbols_; }
  void clear() { symbols_.clear(); }

 protected:
  struct Join {
    TokenId id = kNoToken;  ///< none: the two can't be joined
    double score = 0.0;
  };
  virtual Join join(const Symbol& left, const Symbol& right) const = 0;

 private:
  /// Two neighbours that could be joined; stale when either has changed its size since.
  struct Pair {
    double score;
    std::int32_t left;
    std::int32_t right;
    std::size_t size;
    TokenId id;
    /// For a heap whose top is the highest score, the leftmost on a tie.
    bool operator<(const Pair& other) const { return score != other.score ? score < other.score : left > other.left; }
  };
  void offer(std::int32_t left, std::int32_t right);
  Symbol& symbol(std::int32_t index) { return symbols_[static_cast<std::size_t>(index)]; }

  std::vector<Symbol> symbols_;
  std::priority_queue<Pair> pairs_;
};

}  // namespace lookback::io
