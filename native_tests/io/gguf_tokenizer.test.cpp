// SPDX-License-Identifier: MIT
// Byte-level tokenizers in GGUF metadata.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lookback/core/error.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "support/bpe_fixture.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using namespace lookback::io;
using lookback::FormatError;
using Ids = std::vector<TokenId>;

namespace {

/// Six tokens: a, b, space, " a" as files write them, "ab", and an end.
GgufWriter small_file(std::vector<std::string> merges, const char* pre = "gpt-2") {
  GgufWriter writer;
  writer.set_string("tokenizer.ggml.model", "gpt2");
  if (pre) writer.set_string("tokenizer.ggml.pre", pre);
  const std::vector<std::string> pieces = {"a", "b", "\u0120", "\u0120a", "ab", "<end>"};
  writer.set_strings("tokenizer.ggml.tokens", pieces);
  writer.set_strings("tokenizer.ggml.merges", merges);
  return writer;
}

std::unique_ptr<Tokenizer> read(const GgufWriter& writer) {
  const ModelFile file(writer.finish());
  return read_tokenizer(file);
}

}  // namespace

TEST_CASE("gguf tokenizer: merges in the order of the file", "[io][tokenizer]") {
  GgufWriter writer = small_file({"\u0120 a", "a b"});
  writer.set_u32("tokenizer.ggml.eos_token_id", 5);
  const auto tokenizer = read(writer);
  CHECK(tokenizer->encode("ab ab") == Ids{4, 3, 1});
  CHECK(tokenizer->decode(Ids{4, 3, 1, 5}) == "ab ab");
  CHECK(tokenizer->vocabulary().start == kNoToken);
  CHECK(tokenizer->vocabulary().end == 5);
  CHECK(tokenizer->is_special(5));  // presumed, where the file has no kinds
  CHECK(read(small_file({"a b", "\u0120 a"}))->encode("ab ab") == Ids{4, 2, 4});
}

TEST_CASE("gguf tokenizer: how a text is cut is the file's word", "[io][tokenizer]") {
  CHECK(read(small_file({}, nullptr))->vocabulary().split == TextSplit::gpt2);
  CHECK(read(small_file({}, "default"))->vocabulary().split == TextSplit::gpt2);
  CHECK(read(small_file({}, "smollm"))->vocabulary().split == TextSplit::smollm);
  const auto llama3 = read(small_file({}, "llama-bpe"));
  CHECK(llama3->vocabulary().split == TextSplit::llama3);
  CHECK(llama3->encode("ab") == Ids{4});  // merges are ignored for a part that is a token
  CHECK_THROWS_MATCHES(read(small_file({}, "deepseek-llm")), lookback::UnsupportedError,
                       MessageMatches(ContainsSubstring("deepseek-llm")));
}

TEST_CASE("gguf tokenizer: what is written is read back", "[io][tokenizer]") {
  const auto split = GENERATE(TextSplit::gpt2, TextSplit::llama3, TextSplit::smollm);
  const Vocabulary v = lookback::test::fixture_vocabulary(split);
  GgufWriter writer;
  set_tokenizer(writer, v);
  const auto tokenizer = read(writer);
  const Vocabulary& again = tokenizer->vocabulary();
  CHECK(again.pieces == v.pieces);
  CHECK(again.kinds == v.kinds);
  CHECK(again.merges == v.merges);
  CHECK(again.split == v.split);
  CHECK(again.ignore_merges == v.ignore_merges);
  CHECK(again.start == v.start);
  CHECK(again.end == v.end);
  CHECK(again.add_start == v.add_start);
  CHECK_FALSE(again.add_space_prefix);
}

TEST_CASE("gguf tokenizer: SentencePiece's vocabularies are written too", "[io][tokenizer]") {
  const auto original = read_tokenizer_file(lookback::test::fixture("tokenizer.bin"));
  GgufWriter writer;
  set_tokenizer(writer, original->vocabulary());
  const auto tokenizer = read(writer);
  CHECK(tokenizer->vocabulary().pieces == original->vocabulary().pieces);
  CHECK(tokenizer->vocabulary().scores == original->vocabulary().scores);
  CHECK(tokenizer->encode("the cat sat") == original->encode("the cat sat"));
}

TEST_CASE("gguf tokenizer: what GGUF can't say is refused when writing", "[io][tokenizer]") {
  Vocabulary v = lookback::test::fixture_vocabulary(TextSplit::gpt2);
  v.ignore_merges = true;
  GgufWriter writer;
  CHECK_THROWS_AS(set_tokenizer(writer, v), lookback::ValueError);
}

TEST_CASE("gguf tokenizer: merges and ids that lie are refused", "[io][tokenizer]") {
  for (const char* merge : {"", " ", "a", "a ", " a", "a c", "a  b", "a b ", "<end> <end>"}) {
    INFO(merge);
    CHECK_THROWS_MATCHES(read(small_file({"a b", merge})), FormatError, MessageMatches(ContainsSubstring("merge 1")));
  }
  GgufWriter far_end = small_file({"a b"});
  far_end.set_u32("tokenizer.ggml.eos_token_id", 6);
  CHECK_THROWS_AS(read(far_end), FormatError);
  GgufWriter few_kinds = small_file({"a b"});
  few_kinds.set_integers("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1});
  CHECK_THROWS_AS(read(few_kinds), FormatError);
  GgufWriter no_merges;
  no_merges.set_string("tokenizer.ggml.model", "gpt2");
  no_merges.set_strings("tokenizer.ggml.tokens", std::vector<std::string>{"a"});
  CHECK_THROWS_MATCHES(read(no_merges), FormatError, MessageMatches(ContainsSubstring("merges")));
  GgufWriter numbers;
  numbers.set_string("tokenizer.ggml.model", "gpt2");
  numbers.set_strings("tokenizer.ggml.tokens", std::vector<std::string>{"a"});
  numbers.set_integers("tokenizer.ggml.merges", std::vector<std::int32_t>{1});
  CHECK_THROWS_AS(read(numbers), FormatError);
}
