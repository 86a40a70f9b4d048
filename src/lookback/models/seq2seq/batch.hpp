// SPDX-License-Identifier: MIT
// Sequences of different lengths, side by side.
#pragma once

#include <cstdint>
#include <vector>

namespace lookback::models::seq2seq {

using Ids = std::vector<std::int64_t>;

/// Rows of token ids, padded to the longest.
struct PaddedIds {
  std::int64_t batch = 0;
  std::int64_t steps = 0;
  Ids ids{};                            ///< [B, T], or [T, B] when by_time
  std::vector<std::int64_t> lengths{};  ///< [B]
};

enum class Order { by_item, by_time };

/// Puts sequences into rows; the rest is `filler`.
PaddedIds padded(const std::vector<Ids>& sequences, std::int64_t filler, Order order);

}  // namespace lookback::models::seq2seq
