// SPDX-License-Identifier: MIT
// Padding.
#include "lookback/models/seq2seq/batch.hpp"

#include <algorithm>

namespace lookback::models::seq2seq {

PaddedIds padded(const std::vector<Ids>& sequences, std::int64_t filler, Order order) {
  PaddedIds result{.batch = static_cast<std::int64_t>(sequences.size())};
  for (const Ids& sequence : sequences) {
    result.lengths.push_back(static_cast<std::int64_t>(sequence.size()));
    result.steps = std::max(result.steps, result.lengths.back());
  }
  result.ids.assign(static_cast<std::size_t>(result.batch * result.steps), filler);
  for (std::size_t item = 0; item < sequences.size(); ++item) {
    for (std::size_t t = 0; t < sequences[item].size(); ++t) {
      const std::size_t place =
          order == Order::by_time ? t * sequences.size() + item : item * static_cast<std::size_t>(result.steps) + t;
      result.ids[place] = sequences[item][t];
    }
  }
  return result;
}

}  // namespace lookback::models::seq2seq
