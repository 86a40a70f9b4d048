// SPDX-License-Identifier: MIT
// Limits of a model's sizes.
#include "lookback/models/transformer/config.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/seq2seq/config.hpp"

namespace lookback::models::transformer {

namespace {

void check_size(const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  throw ValueError(message("transformer: ", name, " must be from ", least, " to ", most, ", got ", value));
}

}  // namespace

void Config::check() const {
  constexpr std::int64_t kMost = 1 << 16;
  check_size("source_vocabulary", source_vocabulary, seq2seq::kFirstSymbol, kMost);
  check_size("target_vocabulary", target_vocabulary, seq2seq::kFirstSymbol, kMost);
  check_size("width", width, 1, kMost);
  check_size("heads", heads, 1, width);
  check_size("feed_forward", feed_forward, 1, kMost);
  check_size("layers", layers, 1, 64);
  if (width % heads != 0) throw ValueError(message("transformer: ", heads, " heads do not divide the width ", width));
  if (!(dropout >= 0.0f && dropout < 1.0f)) {
    throw ValueError(message("transformer: dropout must be in [0, 1), got ", dropout));
  }
}

}  // namespace lookback::models::transformer
