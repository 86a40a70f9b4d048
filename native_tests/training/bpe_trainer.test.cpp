// SPDX-License-Identifier: MIT
#include "lookback/training/bpe_trainer.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <tuple>

#include "lookback/core/error.hpp"
#include "lookback/core/random.hpp"
#include "lookback/io/bpe_tokenizer.hpp"
#include "lookback/io/pre_tokenizer.hpp"
#include "support/bpe_fixture.hpp"

using namespace lookback::io;
using lookback::ValueError;
using lookback::test::fixture_path;
using lookback::test::Json;
using lookback::training::BpeOptions;
using lookback::training::train_bpe;

namespace {

std::vector<std::string> merged_pieces(const Vocabulary& v) {
  std::vector<std::string> result;
  for (const TokenMerge& merge : v.merges) {
    result.push_back(v.pieces[static_cast<std::size_t>(merge.left)] + "|" +
                     v.pieces[static_cast<std::size_t>(merge.right)]);
  }
  return result;
}

std::string text_of(const char* name) {
  const auto bytes = lookback::test::fixture(name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Counts everything anew for each merge; gives the merges as pieces.
std::vector<std::string> merges_by_counting(std::string_view text, const BpeOptions& options) {
  const Vocabulary start = train_bpe("", options);
  const auto first = static_cast<std::ptrdiff_t>(options.special.size());
  std::vector<std::string> pieces(start.pieces.begin() + first, start.pieces.end());
  std::vector<std::vector<std::size_t>> words;
  for (const auto part : PreTokenizer(options.split).split(text)) {
    words.emplace_back();
    for (const char c : part)
      words.back().push_back(
          static_cast<std::size_t>(std::find(pieces.begin(), pieces.end(), std::string(1, c)) - pieces.begin()));
  }
  std::vector<std::string> merges;
  while (pieces.size() + options.special.size() < static_cast<std::size_t>(options.vocabulary_size)) {
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> counts;
    for (const auto& word : words) {
      for (std::size_t i = 1; i < word.size(); ++i) ++counts[{word[i - 1], word[i]}];
    }
    std::pair<std::size_t, std::size_t> best;
    std::int64_t most = options.min_frequency - 1;
    for (const auto& [pair, count] : counts) {
      if (count > most) std::tie(best, most) = std::tie(pair, count);
    }
    if (most < options.min_frequency) break;
    merges.push_back(pieces[best.first] + "|" + pieces[best.second]);
    const std::string piece = pieces[best.first] + pieces[best.second];
    const auto joined = static_cast<std::size_t>(std::find(pieces.begin(), pieces.end(), piece) - pieces.begin());
    if (joined == pieces.size()) pieces.push_back(piece);
    for (auto& word : words) {
      std::vector<std::size_t> shorter;
      for (std::size_t i = 0; i < word.size(); ++i) {
        const bool is_here = i + 1 < word.size() && word[i] == best.first && word[i + 1] == best.second;
        shorter.push_back(is_here ? joined : word[i]);
        i += is_here ? 1 : 0;
      }
      word = shorter;
    }
  }
  return merges;
}

}  // namespace

TEST_CASE("bpe trainer: merges by hand", "[training][tokenizer]") {
  // hug 10, pug 5, pun 12, bun 4, hugs 5: u g 20 times, then u n 16, then h ug 15.
  std::string text;
  const std::pair<const char*, int> words[] = {{"hug", 10}, {"pug", 5}, {"pun", 12}, {"bun", 4}, {"hugs", 5}};
  for (const auto& [word, count] : words) {
    for (int i = 0; i < count; ++i) text += std::string(word) + "\n";
  }
  const Vocabulary v = train_bpe(text, {.vocabulary_size = 260, .special = {"<end>"}});
  CHECK(merged_pieces(v) == std::vector<std::string>{"u|g", "u|n", "h|ug"});
  CHECK(v.size() == 260);
  CHECK(v.pieces[0] == "<end>");
  CHECK(v.kinds[0] == TokenKind::control);
  CHECK(v.pieces[1] == "!");
  CHECK(v.pieces[257] == "ug");
  CHECK(v.start == 0);
  CHECK(v.end == 0);
  CHECK(BpeTokenizer(v).encode("hugs", {.add_start = false}).size() == 2);
}

TEST_CASE("bpe trainer: ties go to the smallest left, then right token", "[training][tokenizer]") {
  const auto merges = merged_pieces(train_bpe("dc ba ca dc ba ca", {.vocabulary_size = 260}));
  REQUIRE(!merges.empty());
  CHECK(merges[0] == "b|a");
}

TEST_CASE("bpe trainer: learns what Hugging Face's tokenizers learn", "[training][tokenizer]") {
  const std::string text = text_of("bpe.txt");
  std::vector<std::string_view> lines;  // as they read a file; cuts depend on what follows white space
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(lines.back().size()))
    lines.push_back(rest.substr(0, rest.find('\n') + 1));
  const Vocabulary v = train_bpe(lines, {.vocabulary_size = 30000, .min_frequency = 1, .special = {}});
  const Json golden = Json::read(fixture_path("bpe_tokenizer.json"));
  std::vector<std::string> expected;
  for (const Json& merge : golden["model"]["merges"].items())
    expected.push_back(*read_bytes(merge[0].text()) + "|" + *read_bytes(merge[1].text()));
  CHECK(expected.size() > 400);
  CHECK(merged_pieces(v) == expected);
  CHECK(v.start == kNoToken);
}

TEST_CASE("bpe trainer: counting everything anew gives the same merges", "[training][tokenizer]") {
  lookback::Random random(3);
  for (int round = 0; round < 20; ++round) {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "aaabbc d"[random.next_u32() % 8];
    const BpeOptions options{.vocabulary_size = 320, .min_frequency = 2, .special = {}};
    CHECK(merged_pieces(train_bpe(text, options)) == merges_by_counting(text, options));
  }
}

TEST_CASE("bpe trainer: the order and the cuts of the texts don't matter", "[training][tokenizer]") {
  const std::string_view a = "the cat sat ";
  const std::string_view b = "on the mat";
  const std::string_view forward[] = {a, b};
  const std::string_view backward[] = {b, a};
  const BpeOptions options{.vocabulary_size = 270, .min_frequency = 1, .special = {}};
  CHECK(train_bpe(forward, options).merges == train_bpe(backward, options).merges);
  CHECK(train_bpe(forward, options).pieces == train_bpe(backward, options).pieces);
}

TEST_CASE("bpe trainer: the learned vocabulary brings any text back", "[training][tokenizer]") {
  const std::string text = text_of("bpe.txt");
  const BpeTokenizer tokenizer(train_bpe(text, {.vocabulary_size = 500, .split = TextSplit::llama3}));
  CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
  CHECK(tokenizer.decode(tokenizer.encode("\u0939\u093F \U0001F600 \xFF")) == "\u0939\u093F \U0001F600 \uFFFD");
  CHECK(tokenizer.encode(text).size() < text.size() / 2);
}

TEST_CASE("bpe trainer: stops when no pair is frequent enough", "[training][tokenizer]") {
  CHECK(train_bpe("").size() == 257);
  CHECK(train_bpe("ab cd ef", {.min_frequency = 2}).merges.empty());
  CHECK(train_bpe("a a a a").merges.size() == 1);
  CHECK(train_bpe(std::string(1000, 'a'), {.vocabulary_size = 1000}).merges.size() < 20);
}

TEST_CASE("bpe trainer: options that contradict themselves are refused", "[training][tokenizer]") {
  CHECK_THROWS_AS(train_bpe("a", {.vocabulary_size = 256}), ValueError);
  CHECK_THROWS_AS(train_bpe("a", {.vocabulary_size = -1}), ValueError);
  CHECK_THROWS_AS(train_bpe("a", {.split = TextSplit::none}), ValueError);
  CHECK_THROWS_AS(train_bpe("a", {.min_frequency = 0}), ValueError);
  CHECK_THROWS_AS(train_bpe("a", {.special = {"x", "x"}}), ValueError);
  CHECK_THROWS_AS(train_bpe("a", {.special = {""}}), ValueError);
}
