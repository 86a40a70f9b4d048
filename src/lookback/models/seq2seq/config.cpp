// SPDX-License-Identifier: MIT
// Limits of a model's sizes.
#include "lookback/models/seq2seq/config.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::models::seq2seq {

namespace {

void check_size(const char* name, std::int64_t value, std::int64_t least) {
  constexpr std::int64_t kMost = 1 << 16;
  if (value >= least && value <= kMost) return;
  throw ValueError(message("seq2seq: ", name, " must be from ", least, " to ", kMost, ", got ", value));
}

}  // namespace

void Config::check() const {
  check_size("source_vocabulary", source_vocabulary, kFirstSymbol);
  check_size("target_vocabulary", target_vocabulary, kFirstSymbol);
  check_size("embedding", embedding, 1);
  check_size("hidden", hidden, 1);
  check_size("attention_hidden", attention_hidden, 1);
  if (!(dropout >= 0.0f && dropout < 1.0f)) {
    throw ValueError(message("seq2seq: dropout must be in [0, 1), got ", dropout));
  }
}

}  // namespace lookback::models::seq2seq
