// SPDX-License-Identifier: MIT
// Scores of greedy outputs against counting by hand.
#include "lookback/training/seq2seq_scores.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "training/small_run.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

/// A model whose output ends by itself after a few tokens, for these sources.
struct Fixture {
  Seq2SeqTrainer trainer = trained();
  std::vector<Ids> sources = {{3, 4}, {5, 6, 7}, {8, 9, 10, 11}};
  std::vector<Decoded> outputs = decode_greedily(trainer.model(), sources, 20);

  static Seq2SeqTrainer trained() {
    Seq2SeqTrainer trainer = small_run();
    run_on(trainer, 60);
    return trainer;
  }

  LengthScore score(const std::vector<Ids>& targets) const {
    std::vector<Example> examples;
    for (std::size_t i = 0; i < targets.size(); ++i) examples.push_back({sources[i], targets[i]});
    return score_length(trainer.model(), examples, 7);
  }
};

}  // namespace

TEST_CASE("scores: tokens in their place, exact outputs, the end included", "[training]") {
  const Fixture f;
  std::vector<Ids> targets;
  std::int64_t tokens = 0;
  for (const Decoded& output : f.outputs) {
    REQUIRE((output.is_complete && !output.ids.empty()));
    targets.push_back(output.ids);
    tokens += static_cast<std::int64_t>(output.ids.size());
  }
  const LengthScore all = f.score(targets);
  CHECK(all.length == 7);
  CHECK(all.count == 3);
  CHECK(all.token_accuracy == 1.0f);
  CHECK(all.exact_match == 1.0f);

  std::vector<Ids> one_wrong = targets;
  one_wrong[0][0] = one_wrong[0][0] == 3 ? 4 : 3;
  const auto wrong = static_cast<float>(tokens - 1) / static_cast<float>(tokens);
  CHECK(is_close(static_cast<double>(f.score(one_wrong).token_accuracy), static_cast<double>(wrong), kFloat32));
  CHECK(is_close(static_cast<double>(f.score(one_wrong).exact_match), 2.0 / 3.0, kFloat32));

  // A target that goes on where the output ended: all of the output is right, yet it is not exact.
  std::vector<Ids> longer = targets;
  longer[1].push_back(3);
  const auto missed = static_cast<float>(tokens) / static_cast<float>(tokens + 1);
  CHECK(is_close(static_cast<double>(f.score(longer).token_accuracy), static_cast<double>(missed), kFloat32));
  CHECK(is_close(static_cast<double>(f.score(longer).exact_match), 2.0 / 3.0, kFloat32));

  // One that ends before the output does.
  std::vector<Ids> shorter = targets;
  shorter[2].pop_back();
  CHECK(f.score(shorter).token_accuracy == 1.0f);
  CHECK(is_close(static_cast<double>(f.score(shorter).exact_match), 2.0 / 3.0, kFloat32));
}

TEST_CASE("scores: the weight within one place of the anti-diagonal, and its mean place", "[training]") {
  const Fixture f;
  const std::size_t last = 2;  // four symbols
  std::vector<Ids> targets;
  for (const Decoded& output : f.outputs) targets.push_back(output.ids);
  double sum = 0.0, lean = 0.0;
  for (std::size_t item = 0; item < 3; ++item) {
    const auto& weights = f.outputs[item].weights;
    double mass = 0.0;
    const auto keys = static_cast<int>(f.sources[item].size());
    const auto rows = static_cast<int>(targets[item].size());
    for (int row = 0; row < rows; ++row) {
      for (int j = 0; j < keys; ++j) {
        const auto weight = static_cast<double>(weights[static_cast<std::size_t>(row)][static_cast<std::size_t>(j)]);
        lean += (j - (keys - 1 - row)) * weight / rows;
        if (std::abs(j - (keys - 1 - row)) <= 1) mass += weight;
      }
    }
    sum += mass / rows;
  }
  CHECK(f.outputs[last].weights.size() == targets[last].size() + 1);
  CHECK(is_close(static_cast<double>(f.score(targets).band_mass), sum / 3.0, kFloat32));
  CHECK(is_close(static_cast<double>(f.score(targets).lean), lean / 3.0, kFloat32));
}

TEST_CASE("scores: no attention has no band, no examples no scores, empty targets no tokens", "[training]") {
  Seq2SeqOptions options = small_options();
  options.model.attention = Attention::none;
  const Seq2SeqTrainer trainer = small_run(options);
  CHECK(score_length(trainer.model(), {{{3, 4}, {4, 3}}}, 2).band_mass == 0.0f);
  CHECK(score_length(trainer.model(), {{{3, 4}, {4, 3}}}, 2).lean == 0.0f);
  const LengthScore none = score_length(trainer.model(), {}, 2);
  CHECK((none.count == 0 && none.token_accuracy == 0.0f && none.exact_match == 0.0f && none.band_mass == 0.0f));
  const LengthScore empty = score_length(trainer.model(), {{{}, {}}}, 0);
  CHECK((empty.count == 1 && empty.token_accuracy == 0.0f));
}
