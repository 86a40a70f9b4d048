// SPDX-License-Identifier: MIT
// Tokens by their text.
#pragma once

#include <string_view>
#include <vector>

#include "lookback/io/vocabulary.hpp"

namespace lookback::io {

/// Of equal pieces the one added with the lowest id is found. The texts must outlive the index.
class PieceIndex {
 public:
  void add(std::string_view piece, TokenId id) { entries_.push_back({piece, id}); }
  /// Once, after the last add().
  void sort();
  /// kNoToken where there is none.
  TokenId find(std::string_view piece) const;

 private:
  struct Entry {
    std::string_view piece;
    TokenId id;
    bool operator<(const Entry& other) const { return piece != other.piece ? piece < other.piece : id < other.id; }
  };
  std::vector<Entry> entries_;
  std::size_t longest_ = 0;
};

}  // namespace lookback::io
