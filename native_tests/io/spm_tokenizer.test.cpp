// SPDX-License-Identifier: MIT
#include "lookback/io/spm_tokenizer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

#include "lookback/io/tokenizer_files.hpp"
#include "support/files.hpp"
#include "support/json.hpp"

using namespace lookback::io;
using lookback::test::fixture_path;
using lookback::test::Json;
using lookback::test::shared_path;
using Ids = std::vector<TokenId>;

namespace {

/// Pieces in the order of merging, after single letters; no bytes, no prefix.
SpmTokenizer tokenizer_of(const std::vector<std::string>& merged) {
  Vocabulary v;
  v.add_space_prefix = false;
  v.pieces = {"a", "b", "c"};
  v.scores = {-100.0f, -101.0f, -102.0f};
  for (const auto& piece : merged) {
    v.scores.push_back(-static_cast<float>(v.pieces.size()));
    v.pieces.push_back(piece);
  }
  v.kinds.assign(v.pieces.size(), TokenKind::normal);
  return SpmTokenizer(v);
}

double seconds_to_encode(const Tokenizer& tokenizer, const std::string& text, std::size_t& num_ids) {
  const auto start = std::chrono::steady_clock::now();
  num_ids = tokenizer.encode(text).size();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("spm: the highest score is merged first, the leftmost on a tie", "[io][tokenizer]") {
  CHECK(tokenizer_of({"bc", "ab"}).encode("abc") == Ids{0, 3});
  CHECK(tokenizer_of({"ab", "bc"}).encode("abc") == Ids{3, 2});
  CHECK(tokenizer_of({"aa"}).encode("aaa") == Ids{3, 0});
  CHECK(tokenizer_of({"aa", "aaaa", "aaa"}).encode("aaaaa") == Ids{4, 0});
  CHECK(tokenizer_of({"aa", "aaaa", "aaa"}).encode("aaaaaaa") == Ids{4, 5});
}

TEST_CASE("spm: a character without piece or bytes is the unknown token, once", "[io][tokenizer]") {
  Vocabulary v;
  v.pieces = {"<unk>", "a"};
  v.scores = {0.0f, -1.0f};
  v.kinds = {TokenKind::unknown, TokenKind::normal};
  v.unknown = 0;
  v.add_space_prefix = false;
  CHECK(SpmTokenizer(v).encode("a\xE4\xBD\xA0") == Ids{1, 0});
}

TEST_CASE("spm: of equal pieces the first is taken", "[io][tokenizer]") {
  CHECK(tokenizer_of({"ab", "ab"}).encode("ab") == Ids{3});
}

TEST_CASE("spm: the fixture's texts give the ids of the reference", "[io][tokenizer]") {
  const auto from_file = read_tokenizer_file(lookback::test::fixture("tokenizer.bin"));
  const ModelFile model(lookback::test::fixture("fixture-f32.gguf"));
  const auto from_model = read_tokenizer(model);
  const Json golden = Json::read(fixture_path("golden.json"));
  for (const Json& entry : golden["texts"].items()) {
    INFO(entry["text"].text());
    CHECK(from_file->encode(entry["text"].text()) == entry["ids"].numbers<TokenId>());
    CHECK(from_model->encode(entry["text"].text()) == entry["ids"].numbers<TokenId>());
  }
}

TEST_CASE("spm: stories260K's prompts give the ids of the reference", "[io][tokenizer][golden]") {
  const auto from_file = read_tokenizer_file(lookback::test::read_bytes(shared_path("stories260K/tok512.bin")));
  const ModelFile model(lookback::test::read_bytes(shared_path("stories260K-derived/stories260K-f32.gguf")));
  const auto from_model = read_tokenizer(model);
  const Json golden = Json::read(shared_path("stories260K/golden.json"));
  for (const Json& entry : golden["cases"].items()) {
    const auto& prompt = entry["prompt"].text();
    INFO(prompt);
    CHECK(from_file->encode(prompt) == entry["prompt_ids"].numbers<TokenId>());
    CHECK(from_model->encode(prompt) == entry["prompt_ids"].numbers<TokenId>());
    CHECK(from_file->decode(entry["all_ids"].numbers<TokenId>()) == entry["text"].text());
  }
}

TEST_CASE("spm: 200,000 repeated characters take less than two seconds", "[io][tokenizer]") {
  const auto tokenizer = read_tokenizer_file(lookback::test::fixture("tokenizer.bin"));
  constexpr std::size_t count = 200000;
  std::size_t num_ids = 0;
  CHECK(seconds_to_encode(*tokenizer, std::string(count, 'a'), num_ids) < 2.0);
  CHECK(num_ids == 1 + 1 + 49999 + 2);  // <s>, " a", "aaaa" as often as it fits, "aa" and "a"
  CHECK(seconds_to_encode(*tokenizer, std::string(count, ' '), num_ids) < 2.0);
  CHECK(num_ids == 1 + 1 + count);
}
