// SPDX-License-Identifier: MIT
// Models whose numbers an independent double-precision program has computed.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/io/tokenizer_files.hpp"
#include "lookback/models/decoder/sampler.hpp"
#include "lookback/models/decoder/session.hpp"
#include "models/decoder/files.hpp"
#include "support/allclose.hpp"
#include "support/json.hpp"

using lookback::io::ModelFile;
using lookback::io::TokenId;
using lookback::models::DecoderModel;
using lookback::models::DecoderSession;
using lookback::models::Sampler;
using lookback::test::close_to;
using lookback::test::Json;
using lookback::test::read_bytes;
using lookback::test::shared_path;
using lookback::test::Tolerance;
using Tokens = std::vector<TokenId>;

namespace {

// f32 sums of some hundred products against double; the golden logits have six to seven digits after the point.
constexpr Tolerance kLogits{1e-4, 0.0};
constexpr Tolerance kAttention{1e-5, 0.0};

/// The attention of the last token of the run, against [L][H][S].
void check_attention(const DecoderSession& session, const Json& expected) {
  const auto& config = session.model().config();
  const auto heads = static_cast<std::size_t>(config.heads);
  const auto span = static_cast<std::size_t>(session.position());
  const auto num_tokens = static_cast<std::size_t>(session.num_run_tokens());
  REQUIRE(expected.size() == static_cast<std::size_t>(config.layers));
  for (std::size_t layer = 0; layer < expected.size(); ++layer) {
    REQUIRE(expected[layer].size() == heads);
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t row = (layer * num_tokens + num_tokens - 1) * heads + head;
      CHECK_THAT(session.attention().subspan(row * span, span),
                 close_to(expected[layer][head].numbers<float>(), kAttention));
    }
  }
}

Tokens continue_greedily(DecoderSession& session, std::size_t count) {
  Sampler sampler({.temperature = 0.0});
  Tokens result;
  while (result.size() < count) {
    result.push_back(sampler.sample(session.logits()).token);
    if (result.size() < count) session.run(Tokens{result.back()});
  }
  return result;
}

std::shared_ptr<const DecoderModel> read_model(const std::string& path) {
  return std::make_shared<const DecoderModel>(ModelFile(read_bytes(path)));
}

/// Largest logits of a step, by the ids given.
std::vector<float> pick(std::span<const float> logits, const std::vector<std::size_t>& ids) {
  std::vector<float> result;
  for (const std::size_t id : ids) result.push_back(logits[id]);
  return result;
}

}  // namespace

TEST_CASE("golden: the fixture in each of its formats", "[models][decoder][golden]") {
  const auto [name, key] = GENERATE(table<std::string, std::string>(
      {{"fixture-f32.gguf", "f32"}, {"fixture.bin", "f32"}, {"fixture-f16.gguf", "f16"}}));
  const Json golden = Json::read(lookback::test::fixture_path("golden.json"));
  DecoderSession session(lookback::test::fixture_model(name));
  session.run(golden["prompt"].numbers<TokenId>(), {.attention = true});
  CHECK_THAT(session.logits(), close_to(golden[key]["logits"].numbers<float>(), kLogits));
  check_attention(session, golden[key]["attention"]);
  const auto expected = golden[key]["greedy"].numbers<TokenId>();
  CHECK(continue_greedily(session, expected.size()) == expected);
}

TEST_CASE("golden: stories260K from the checkpoint and from GGUF", "[models][decoder][golden]") {
  const char* name = GENERATE("stories260K/stories260K.bin", "stories260K-derived/stories260K-f32.gguf");
  const auto model = read_model(shared_path(name));
  const auto tokenizer = lookback::io::read_tokenizer_file(read_bytes(shared_path("stories260K/tok512.bin")));
  const Json golden = Json::read(shared_path("stories260K/golden.json"));
  for (const Json& entry : golden["cases"].items()) {
    INFO(entry["prompt"].text());
    DecoderSession session(model);
    const auto prompt = tokenizer->encode(entry["prompt"].text());
    session.run(prompt, {.attention = true});
    CHECK_THAT(session.logits(), close_to(entry["logits_after_prompt"].numbers<float>(), kLogits));
    check_attention(session, entry["attention_at_last_prompt_token"]);

    const auto all_ids = entry["all_ids"].numbers<TokenId>();
    Tokens ids = prompt;
    const Tokens generated = continue_greedily(session, all_ids.size() - prompt.size());
    ids.insert(ids.end(), generated.begin(), generated.end());
    CHECK(ids == all_ids);
    CHECK(tokenizer->decode(ids) == entry["text"].text());
  }
}

TEST_CASE("golden: stories260K's five largest logits at every step", "[models][decoder][golden]") {
  const auto model = read_model(shared_path("stories260K/stories260K.bin"));
  const Json golden = Json::read(shared_path("stories260K/golden.json"));
  for (const Json& entry : golden["cases"].items()) {
    INFO(entry["prompt"].text());
    DecoderSession session(model);
    for (const Json& step : entry["trace"].items()) {
      CHECK(session.position() == static_cast<std::int64_t>(step["pos"].number()));
      session.run(Tokens{static_cast<TokenId>(step["token"].number())});
      CHECK_THAT(pick(session.logits(), step["top5"].numbers<std::size_t>()),
                 close_to(step["top5_logits"].numbers<float>(), kLogits));
    }
  }
}
