// SPDX-License-Identifier: MIT
#include "lookback/io/tokenizer_files.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lookback/core/error.hpp"
#include "lookback/io/byte_writer.hpp"
#include "lookback/io/gguf.hpp"
#include "support/files.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using namespace lookback::io;
using lookback::FormatError;

namespace {

/// Three tokens of five letters, the last of which claims `length`.
ByteWriter file_with_length(std::int32_t length) {
  ByteWriter writer;
  writer.number(std::int32_t{5});
  for (int i = 0; i < 3; ++i) {
    writer.number(0.0f);
    writer.number(i < 2 ? std::int32_t{5} : length);
    writer.text("abcde");
  }
  return writer;
}

GgufWriter tokenizer_metadata(std::vector<float> scores, std::vector<std::int32_t> types) {
  GgufWriter writer;
  writer.set_string("tokenizer.ggml.model", "llama");
  const std::vector<std::string> pieces = {"<unk>", "<s>", "</s>",
                                           "\xE2\x96\x81"
                                           "a"};
  writer.set_strings("tokenizer.ggml.tokens", pieces);
  writer.set_floats("tokenizer.ggml.scores", scores);
  writer.set_integers("tokenizer.ggml.token_type", types);
  return writer;
}

}  // namespace

TEST_CASE("tokenizer files: the two sources of the fixture's vocabulary agree", "[io][tokenizer]") {
  const ModelFile model(lookback::test::fixture("fixture-f16.gguf"));
  const auto a = read_tokenizer(model);
  const auto b = read_tokenizer_file(lookback::test::fixture("tokenizer.bin"));
  CHECK(a->vocabulary().pieces == b->vocabulary().pieces);
  CHECK(a->vocabulary().scores == b->vocabulary().scores);
  CHECK(a->vocabulary().kinds == b->vocabulary().kinds);
  CHECK(a->vocabulary().start == 1);
  CHECK(b->vocabulary().end == 2);
}

TEST_CASE("tokenizer files: what is written is read back", "[io][tokenizer]") {
  const auto bytes = lookback::test::fixture("tokenizer.bin");
  CHECK(write_llama2c_tokenizer(read_tokenizer_file(bytes)->vocabulary()) == bytes);
}

TEST_CASE("tokenizer files: llama2.c checkpoints hold none", "[io][tokenizer]") {
  CHECK(read_tokenizer(ModelFile(lookback::test::fixture("fixture.bin"))) == nullptr);
}

TEST_CASE("tokenizer files: lengths that lie are refused", "[io][tokenizer]") {
  CHECK_NOTHROW(read_tokenizer_file(file_with_length(5).bytes()));
  CHECK_THROWS_MATCHES(read_tokenizer_file(file_with_length(6).bytes()), FormatError,
                       MessageMatches(ContainsSubstring("6")));
  CHECK_THROWS_MATCHES(read_tokenizer_file(file_with_length(-1).bytes()), FormatError,
                       MessageMatches(ContainsSubstring("-1")));
  CHECK_THROWS_AS(read_tokenizer_file(file_with_length(2147483647).bytes()), FormatError);
  CHECK_THROWS_MATCHES(read_tokenizer_file(lookback::test::to_bytes("<!doctype html>")), FormatError,
                       MessageMatches(ContainsSubstring("HTML")));
  CHECK_THROWS_AS(read_tokenizer_file({}), FormatError);
}

TEST_CASE("tokenizer files: metadata that contradicts itself is refused", "[io][tokenizer]") {
  const auto read = [](const GgufWriter& writer) {
    const ModelFile file(writer.finish());
    return read_tokenizer(file)->size();
  };
  CHECK(read(tokenizer_metadata({0, 0, 0, 0}, {2, 3, 3, 1})) == 4);
  CHECK_THROWS_AS(read(tokenizer_metadata({0, 0, 0}, {2, 3, 3, 1})), FormatError);
  CHECK_THROWS_AS(read(tokenizer_metadata({0, 0, 0, 0}, {2, 3, 3})), FormatError);
  CHECK_THROWS_MATCHES(read(tokenizer_metadata({0, 0, 0, 0}, {2, 3, 3, 9})), FormatError,
                       MessageMatches(ContainsSubstring("type 9")));
  CHECK_THROWS_AS(read(tokenizer_metadata({0, 0, 0, 0}, {2, 3, 3, 6})), FormatError);

  GgufWriter far_start = tokenizer_metadata({0, 0, 0, 0}, {2, 3, 3, 1});
  far_start.set_u32("tokenizer.ggml.bos_token_id", 4);
  CHECK_THROWS_AS(read(far_start), FormatError);
  GgufWriter unknown;
  unknown.set_string("tokenizer.ggml.model", "bert");
  CHECK_THROWS_MATCHES(read(unknown), lookback::UnsupportedError, MessageMatches(ContainsSubstring("bert")));
}
