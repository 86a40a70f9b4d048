// SPDX-License-Identifier: MIT
#include "lookback/tools/commands.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "lookback/tools/arguments.hpp"
#include "support/allclose.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/json.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::close_to;
using lookback::test::fixture_path;
using lookback::test::Json;
using lookback::test::shared_path;
using namespace lookback::tools;
using Words = std::vector<std::string>;

namespace {

std::string output_of(void (*command)(std::span<const std::string_view>, std::ostream&), const Words& words) {
  std::ostringstream stream;
  const std::vector<std::string_view> views(words.begin(), words.end());
  command(views, stream);
  return stream.str();
}

const std::string kModel = fixture_path("fixture-f32.gguf");

}  // namespace

TEST_CASE("inspect: format, architecture, metadata and one line a tensor", "[tools]") {
  const std::string text = output_of(inspect, {kModel});
  CHECK_THAT(text, ContainsSubstring("format: gguf, version 3\n") && ContainsSubstring("architecture: llama\n"));
  CHECK_THAT(text, ContainsSubstring("  llama.attention.head_count_kv = 2\n") &&
                       ContainsSubstring("  general.name = \"fixture\"\n"));
  CHECK_THAT(text, ContainsSubstring("  blk.1.ffn_down.weight f32 [16, 24], 1536 bytes at "));
  CHECK_THAT(output_of(inspect, {fixture_path("fixture.bin")}), ContainsSubstring("format: llama2.c, version 0\n"));
  CHECK_THAT(output_of(inspect, {fixture_path("fixture-f16.gguf")}),
             ContainsSubstring("token_embd.weight f16 [287, 16]"));
  CHECK_THROWS_AS(output_of(inspect, {}), UsageError);
}

TEST_CASE("tokenize: one array of ids", "[tools]") {
  CHECK(output_of(tokenize, {"--model", kModel, "the cat"}) == "[1,263,265]\n");
  CHECK(output_of(tokenize, {"--model", kModel, "--no-start", "--", "the cat"}) == "[263,265]\n");
  CHECK(output_of(tokenize, {"--model", kModel, ""}) == "[1]\n");
  CHECK(output_of(tokenize, {"--model", fixture_path("fixture.bin"), "the cat"}) == "[1,263,265]\n");
  CHECK_THROWS_AS(output_of(tokenize, {"--model", kModel}), UsageError);
  CHECK_THROWS_AS(output_of(tokenize, {"the cat"}), UsageError);
}

TEST_CASE("generate: logits after the last prompt token", "[tools]") {
  const Json golden = Json::read(fixture_path("golden.json"));
  std::string tokens;
  for (const int id : golden["prompt"].numbers<int>()) tokens += std::to_string(id) + ",";
  tokens.pop_back();
  const Json logits =
      Json::parse(output_of(generate, {"--model", fixture_path("fixture.bin"), "--tokens", tokens, "--logits"}));
  CHECK_THAT(logits.numbers<float>(), close_to(golden["f32"]["logits"].numbers<float>(), {1e-4, 0.0}));
}

TEST_CASE("generate: the same seed gives the same text, another seed another", "[tools]") {
  const auto text = [](const std::string& seed) {
    return output_of(generate, {"--model", kModel, "--prompt", "the cat", "--max-tokens", "12", "--seed", seed});
  };
  CHECK(text("1") == text("1"));
  CHECK(text("1") != text("2"));
  CHECK(text("1").starts_with("the cat"));
}

TEST_CASE("generate: it ends at the end of the context, and at zero tokens", "[tools]") {
  CHECK(output_of(generate, {"--model", kModel, "--prompt", "the cat", "--max-tokens", "0"}) == "the cat\n");
  CHECK_NOTHROW(output_of(generate, {"--model", kModel, "--prompt", "the cat", "--max-tokens", "100", "--seed", "4"}));
}

TEST_CASE("generate: misuse is told from wrong numbers", "[tools]") {
  CHECK_THROWS_AS(output_of(generate, {"--model", kModel}), UsageError);
  CHECK_THROWS_AS(output_of(generate, {"--model", kModel, "--prompt", "a", "--tokens", "1"}), UsageError);
  CHECK_THROWS_AS(output_of(generate, {"--prompt", "a"}), UsageError);
  CHECK_THROWS_AS(output_of(generate, {"--model", kModel, "--prompt", "a", "more"}), UsageError);
  const auto error = [](const Words& words) {
    return lookback::test::error_of([&] { return output_of(generate, words); });
  };
  CHECK_THAT(error({"--model", kModel, "--tokens", "1,287", "--logits"}), ContainsSubstring("token 287"));
  CHECK_THAT(error({"--model", kModel, "--prompt", "a", "--temperature", "-1"}), ContainsSubstring("temperature"));
  CHECK_THAT(error({"--model", kModel, "--prompt", "a", "--config", "c"}), ContainsSubstring("unsupported: "));
  CHECK_THAT(error({"--model", kModel, "--prompt", std::string(100, 'c')}), ContainsSubstring("context is full"));
}

TEST_CASE("generate: stories260K's greedy text", "[tools][golden]") {
  const std::string model = shared_path("stories260K/stories260K.bin");
  const Json golden = Json::read(shared_path("stories260K/golden.json"));
  for (const Json& entry : golden["cases"].items()) {
    const std::size_t count = entry["all_ids"].size() - entry["prompt_ids"].size();
    const std::string text = output_of(generate, {"--model", model, "--prompt", entry["prompt"].text(), "--max-tokens",
                                                  std::to_string(count), "--temperature", "0"});
    CHECK(text == entry["text"].text() + "\n");
  }
}
