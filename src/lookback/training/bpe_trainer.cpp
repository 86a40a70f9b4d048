// SPDX-License-Identifier: MIT
// Words counted once; pairs in a heap whose entries may be stale, and are put back with their true count.
#include "lookback/training/bpe_trainer.hpp"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/pre_tokenizer.hpp"
#include "lookback/io/utf8.hpp"

namespace lookback::training {

namespace {

using io::TokenId;

struct Word {
  std::vector<TokenId> ids;
  std::int64_t count = 0;
};

struct PairCount {
  std::int64_t count = 0;
  std::vector<std::uint32_t> words;  ///< where it occurs, or did
};

struct Candidate {
  std::int64_t count;
  std::uint64_t pair;
  /// For a heap whose top is the most frequent, of equals the smallest.
  bool operator<(const Candidate& other) const {
    return count != other.count ? count < other.count : pair > other.pair;
  }
};

std::uint64_t pair_of(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

using WordCounts = std::unordered_map<std::string, std::int64_t>;

void count_words(std::string_view text, const io::PreTokenizer& pre_tokenizer, WordCounts& counts) {
  const std::string valid = io::valid_utf8(text);
  for (std::string_view rest = valid; !rest.empty();) {
    const std::size_t size = pre_tokenizer.first_part(rest);
    ++counts[std::string(rest.substr(0, size))];
    rest.remove_prefix(size);
  }
}

class Learner {
 public:
  Learner(io::Vocabulary& vocabulary, const WordCounts& counts) : vocabulary_(vocabulary) {
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
      const auto index = static_cast<std::size_t>(id);
      if (vocabulary.kinds[index] == io::TokenKind::normal) ids_.emplace(vocabulary.pieces[index], id);
    }
    for (const auto& [text, count] : counts) add_word(text, count);
    for (const auto& [pair, entry] : pairs_) heap_.push({entry.count, pair});
  }

  void learn(TokenId size, std::int64_t min_frequency) {
    while (vocabulary_.size() < size && !heap_.empty()) {
      const Candidate best = heap_.top();
      heap_.pop();
      const std::int64_t count = pairs_.at(best.pair).count;
      if (count < min_frequency) continue;
      if (count == best.count)
        merge(best.pair);
      else
        heap_.push({count, best.pair});
    }
  }

 private:
  void add_word(std::string_view text, std::int64_t count) {
    Word word;
    word.count = count;
    for (const char c : text) word.ids.push_back(ids_.at(std::string(1, c)));
    words_.push_back(std::move(word));
    const auto index = static_cast<std::uint32_t>(words_.size() - 1);
    const auto& ids = words_.back().ids;
    for (std::size_t i = 1; i < ids.size(); ++i) change(pair_of(ids[i - 1], ids[i]), index, count);
  }

  void change(std::uint64_t pair, std::uint32_t word, std::int64_t count) {
    PairCount& entry = pairs_[pair];
    entry.count += count;
    if (count > 0 && (entry.words.empty() || entry.words.back() != word)) entry.words.push_back(word);
  }

  /// The token of a piece, which may have been made of another pair before.
  TokenId token_of(const std::string& piece) {
    const auto [found, is_new] = ids_.emplace(piece, vocabulary_.size());
    if (is_new) {
      vocabulary_.pieces.push_back(piece);
      vocabulary_.scores.push_back(0.0f);
      vocabulary_.kinds.push_back(io::TokenKind::normal);
    }
    return found->second;
  }

  void merge(std::uint64_t pair) {
    const auto left = static_cast<TokenId>(pair >> 32);
    const auto right = static_cast<TokenId>(pair & 0xFFFFFFFF);
    vocabulary_.merges.push_back({left, right});
    const TokenId joined = token_of(vocabulary_.pieces[static_cast<std::size_t>(left)] +
                                    vocabulary_.pieces[static_cast<std::size_t>(right)]);
    std::vector<std::uint32_t> words = std::exchange(pairs_.at(pair).words, {});
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    grown_.clear();
    for (const std::uint32_t index : words) merge_in(index, left, right, joined);
    std::sort(grown_.begin(), grown_.end());
    grown_.erase(std::unique(grown_.begin(), grown_.end()), grown_.end());
    for (const std::uint64_t other : grown_) heap_.push({pairs_.at(other).count, other});
  }

  /// Takes the pairs of one word out of the counts, merges, and puts the new ones in.
  void merge_in(std::uint32_t index, TokenId left, TokenId right, TokenId joined) {
    Word& word = words_[index];
    auto& ids = word.ids;
    const auto holds = [&](std::size_t i) { return i + 1 < ids.size() && ids[i] == left && ids[i + 1] == right; };
    std::size_t first = 0;
    while (first < ids.size() && !holds(first)) ++first;
    if (first == ids.size()) return;
    for (std::size_t i = 1; i < ids.size(); ++i) change(pair_of(ids[i - 1], ids[i]), index, -word.count);
    std::size_t size = first;
    for (std::size_t i = first; i < ids.size(); ++size) {
      const bool is_here = holds(i);
      ids[size] = is_here ? joined : ids[i];
      i += is_here ? 2 : 1;
    }
    ids.resize(size);
    for (std::size_t i = 1; i < ids.size(); ++i) {
      const std::uint64_t pair = pair_of(ids[i - 1], ids[i]);
      change(pair, index, word.count);
      if (ids[i - 1] == joined || ids[i] == joined) grown_.push_back(pair);
    }
  }

  io::Vocabulary& vocabulary_;
  std::unordered_map<std::string, TokenId> ids_;
  std::vector<Word> words_;
  std::unordered_map<std::uint64_t, PairCount> pairs_;
  std::priority_queue<Candidate> heap_;
  std::vector<std::uint64_t> grown_;
};

void check(const BpeOptions& options) {
  if (options.split == io::TextSplit::none)
    throw ValueError("train_bpe: split none is SentencePiece's, not byte-level");
  if (options.min_frequency < 1)
    throw ValueError(message("train_bpe: min_frequency should be at least 1, it is ", options.min_frequency));
  const std::set<std::string> names(options.special.begin(), options.special.end());
  if (names.contains("") || names.size() != options.special.size())
    throw ValueError("train_bpe: names of special tokens should be distinct and not empty");
  const std::size_t least = options.special.size() + 256;
  if (options.vocabulary_size < 0 || static_cast<std::size_t>(options.vocabulary_size) < least) {
    throw ValueError(message("train_bpe: vocabulary_size ", options.vocabulary_size, " has no room for ",
                             options.special.size(), " special tokens and 256 bytes"));
  }
}

void add_bytes(io::Vocabulary& vocabulary, int first, int last) {
  for (int byte = first; byte <= last; ++byte) vocabulary.pieces.emplace_back(1, static_cast<char>(byte));
}

io::Vocabulary first_tokens(const BpeOptions& options) {
  io::Vocabulary vocabulary;
  vocabulary.split = options.split;
  vocabulary.ignore_merges = options.split == io::TextSplit::llama3;
  vocabulary.add_space_prefix = false;
  vocabulary.pieces = options.special;
  const std::pair<int, int> ranges[] = {{33, 126}, {161, 172}, {174, 255}, {0, 32}, {127, 160}, {173, 173}};
  for (const auto& [first, last] : ranges) add_bytes(vocabulary, first, last);
  vocabulary.scores.assign(vocabulary.pieces.size(), 0.0f);
  vocabulary.kinds.assign(vocabulary.pieces.size(), io::TokenKind::normal);
  std::fill_n(vocabulary.kinds.begin(), options.special.size(), io::TokenKind::control);
  if (!options.special.empty()) vocabulary.start = vocabulary.end = 0;
  return vocabulary;
}

}  // namespace

io::Vocabulary train_bpe(std::span<const std::string_view> texts, const BpeOptions& options) {
  check(options);
  const io::PreTokenizer pre_tokenizer(options.split);
  WordCounts counts;
  for (const std::string_view text : texts) count_words(text, pre_tokenizer, counts);
  io::Vocabulary vocabulary = first_tokens(options);
  Learner(vocabulary, counts).learn(options.vocabulary_size, options.min_frequency);
  return vocabulary;
}

io::Vocabulary train_bpe(std::string_view text, const BpeOptions& options) {
  return train_bpe(std::span(&text, 1), options);
}

}  // namespace lookback::training
