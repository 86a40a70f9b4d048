// SPDX-License-Identifier: MIT
// A sorted list: half the memory of a hash table, and small code.
#include "lookback/io/piece_index.hpp"

#include <algorithm>

namespace lookback::io {

void PieceIndex::sort() {
  std::sort(entries_.begin(), entries_.end());
  for (const Entry& entry : entries_) longest_ = std::max(longest_, entry.piece.size());
}

TokenId PieceIndex::find(std::string_view piece) const {
  if (piece.size() > longest_) return kNoToken;
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry{piece, kNoToken});
  return found != entries_.end() && found->piece == piece ? found->id : kNoToken;
}

}  // namespace lookback::io
