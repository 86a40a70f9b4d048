// SPDX-License-Identifier: MIT
// Learning a byte-level vocabulary from text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookback/io/vocabulary.hpp"

namespace lookback::training {

struct BpeOptions {
  io::TokenId vocabulary_size = 4096;  ///< at most; with the special tokens and the 256 bytes
  io::TextSplit split = io::TextSplit::gpt2;
  std::int64_t min_frequency = 2;                        ///< pairs seen less often are not merged; at least 1
  std::vector<std::string> special = {"<|endoftext|>"};  ///< control tokens; the first begins and ends texts
};

/// Tokens in this order: the special ones, the 256 bytes as GPT-2 orders them (33-126, 161-172, 174-255, the rest), one
/// token a merge. Again and again the pair of neighbours is merged that occurs most often within the parts into which
/// PreTokenizer cuts the texts, of equals the one with the smallest left, then right token; until the vocabulary is
/// full or no pair is frequent enough. Every distinct part is counted once and the counts of pairs are kept up to date,
/// so 20 MB of prose take seconds. The same texts give the same vocabulary, in whatever order they come. Invalid UTF-8
/// counts as U+FFFD; names of special tokens inside a text are plain text. Throws ValueError for options that
/// contradict themselves. Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
io::Vocabulary train_bpe(std::span<const std::string_view> texts, const BpeOptions& options = {});
io::Vocabulary train_bpe(std::string_view text, const BpeOptions& options = {});

}  // namespace lookback::training
