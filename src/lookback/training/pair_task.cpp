// SPDX-License-Identifier: MIT
// The reader's own pairs.
#include <algorithm>
#include <set>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/training/task.hpp"

namespace lookback::training {

namespace {

constexpr std::size_t kHeldOutEvery = 10;
constexpr std::size_t kMostSymbols = 200;

Alphabet alphabet_of(const std::vector<TextPair>& pairs, std::string TextPair::*side, Unit unit) {
  std::set<std::string> symbols;
  for (const TextPair& pair : pairs) {
    for (std::string& symbol : units_of(pair.*side, unit)) symbols.insert(std::move(symbol));
  }
  return Alphabet({symbols.begin(), symbols.end()}, unit);
}

void check_pairs(const std::vector<TextPair>& pairs, Unit unit) {
  if (pairs.empty()) throw ValueError("task: there are no pairs");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (const std::string& side : {pairs[i].source, pairs[i].target}) {
      const std::size_t count = units_of(side, unit).size();
      if (count >= 1 && count <= kMostSymbols) continue;
      throw ValueError(
          message("task: pair ", i + 1, " has a side of ", count, " symbols, allowed are 1 to ", kMostSymbols));
    }
  }
}

class PairTask : public Task {
 public:
  PairTask(const std::vector<TextPair>& pairs, Unit unit)
      : Task("pairs", alphabet_of(pairs, &TextPair::source, unit), alphabet_of(pairs, &TextPair::target, unit)) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      Example example{source().ids_of(pairs[i].source), target().ids_of(pairs[i].target)};
      (i % kHeldOutEvery == kHeldOutEvery - 1 ? held_out_ : trained_).push_back(std::move(example));
    }
  }

  std::optional<Ids> answer(const Ids& source) const override {
    for (const std::vector<Example>* list : {&trained_, &held_out_}) {
      for (const Example& example : *list) {
        if (example.source == source) return example.target;
      }
    }
    return std::nullopt;
  }

  Example draw(Random& random) const override {
    return trained_[random.below(static_cast<std::uint32_t>(trained_.size()))];
  }

  std::vector<std::int64_t> lengths() const override {
    std::set<std::int64_t> lengths;
    for (const Example& example : held_out_) lengths.insert(static_cast<std::int64_t>(example.source.size()));
    return {lengths.begin(), lengths.end()};
  }

  std::vector<Example> held_out(std::int64_t length, std::int64_t count, Random&) const override {
    std::vector<Example> result;
    for (const Example& example : held_out_) {
      if (static_cast<std::int64_t>(result.size()) == count) break;
      if (static_cast<std::int64_t>(example.source.size()) == length) result.push_back(example);
    }
    return result;
  }

 private:
  std::vector<Example> trained_;
  std::vector<Example> held_out_;
};

}  // namespace

std::unique_ptr<Task> make_pair_task(const std::vector<TextPair>& pairs, Unit unit) {
  check_pairs(pairs, unit);
  return std::make_unique<PairTask>(pairs, unit);
}

std::vector<TextPair> parse_pairs(std::string_view text) {
  std::vector<TextPair> pairs;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == line.npos)
      throw ValueError(message("task: line ", line_number, " has no tab between source and target"));
    const std::string_view rest = line.substr(tab + 1);
    pairs.push_back({std::string(line.substr(0, tab)), std::string(rest.substr(0, rest.find('\t')))});
  }
  return pairs;
}

}  // namespace lookback::training
