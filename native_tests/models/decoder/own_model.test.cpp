// SPDX-License-Identifier: MIT
// The model that ships: its card's numbers, and the same greedy text in every build.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <memory>

#include "lookback/core/check.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/models/decoder/sampler.hpp"
#include "lookback/models/decoder/session.hpp"
#include "support/files.hpp"
#include "support/json.hpp"

using namespace lookback;
using namespace lookback::models;
using lookback::test::Json;
using lookback::test::read_bytes;
using Tokens = std::vector<io::TokenId>;

namespace {

std::string model_path(const char* name) { return message(LOOKBACK_REPOSITORY, "/web/models/", name); }

struct Story {
  std::shared_ptr<const DecoderModel> model;
  std::unique_ptr<io::Tokenizer> tokenizer;
};

Story read_story() {
  io::ModelFile file(read_bytes(model_path("stories.gguf")));
  auto tokenizer = io::read_tokenizer(file);
  return {std::make_shared<const DecoderModel>(std::move(file)), std::move(tokenizer)};
}

/// -sum log2 p of the tokens after the first.
double bits_of(DecoderSession& session, const Tokens& ids) {
  session.run(ids, {.all_logits = true});
  const auto logits = session.all_logits();
  const std::size_t classes = logits.size() / ids.size();
  double bits = 0.0;
  for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
    const auto row = logits.subspan(t * classes, classes);
    double sum = 0.0;
    for (const float logit : row) sum += std::exp(static_cast<double>(logit));
    bits += std::log2(sum) - static_cast<double>(row[static_cast<std::size_t>(ids[t + 1])]) / std::log(2.0);
  }
  return bits;
}

}  // namespace

TEST_CASE("own model: the greedy story is the one of its card, in every build", "[models][decoder]") {
  const Story story = read_story();
  const Json card = Json::read(model_path("stories.json"));
  DecoderSession session(story.model);
  Sampler sampler({.temperature = 0.0});
  const Tokens prompt = story.tokenizer->encode(card["prompt"].text());
  CHECK(prompt == card["prompt_ids"].numbers<io::TokenId>());
  session.run(prompt);
  Tokens ids;
  while (ids.size() < card["greedy"].size()) {
    ids.push_back(sampler.sample(session.logits()).token);
    session.run(Tokens{ids.back()});
  }
  CHECK(ids == card["greedy"].numbers<io::TokenId>());
}

TEST_CASE("own model: it finds a sentence likelier than its words in another order", "[models][decoder]") {
  const Story story = read_story();
  const auto bits = [&](const char* text) {
    DecoderSession session(story.model);
    return bits_of(session, story.tokenizer->encode(text));
  };
  const double right = bits("The little girl wanted to play with her mom in the park.");
  CHECK(right < bits("The park wanted little to with play girl in the mom her."));
  // A byte of a story costs about one bit.
  CHECK(right < 1.5 * 57.0);
}
