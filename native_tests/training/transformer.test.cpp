// SPDX-License-Identifier: MIT
// The trainer with a Transformer: resuming, what its checkpoints say no to, gradients by source, and whether it learns.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "training/learning.hpp"
#include "training/small_run.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::test;

namespace {

Seq2SeqOptions small_transformer() {
  Seq2SeqOptions options = small_options();
  options.transformer = {.width = 8, .heads = 2, .feed_forward = 12, .layers = 1, .dropout = 0.2f};
  return options;
}

}  // namespace

TEST_CASE("trainer: a Transformer goes on bit for bit", "[training][transformer]") {
  Seq2SeqOptions options = small_transformer();
  options.micro_batch = 3;
  Seq2SeqTrainer run = small_run(options);
  run_on(run, 3);
  const Checkpoint saved = Seq2SeqTrainer::read(run.save().bytes());
  const std::vector<float> numbers = run_on(run, 3);
  options.seed = 99;
  Seq2SeqTrainer resumed = small_run(options);
  resumed.restore(saved);
  CHECK_THAT(run_on(resumed, 3), close_to(numbers, kExact));
  CHECK_THAT(weights_of(resumed), close_to(weights_of(run), kExact));
}

TEST_CASE("trainer: states of the other kind of model are refused", "[training][transformer]") {
  Seq2SeqTrainer transformer = small_run(small_transformer()), recurrent = small_run();
  CHECK(error_of([&] { return transformer.restore(recurrent.save()), 0; }) ==
        "format: checkpoint: is of 'reverse 13 to 13, gru 6 8 7, bidirectional', "
        "this run of 'reverse 13 to 13, transformer 8 2 12 1'");
  CHECK(error_of([&] { return recurrent.restore(transformer.save()), 0; }).find("transformer 8 2 12 1") !=
        std::string::npos);
}

TEST_CASE("trainer: a Transformer's output depends on every position of its source", "[training][transformer]") {
  const Seq2SeqTrainer trainer = small_run(small_transformer());
  const std::vector<float> gradient = trainer.gradient_by_source({{4, 9, 3, 12}, {12, 3, 9, 4}}, 2);
  REQUIRE(gradient.size() == 4);
  CHECK(std::all_of(gradient.begin(), gradient.end(), [](float g) { return g > 0.0f; }));
  CHECK(trainer.align({{4, 9, 3, 12}, {12, 3, 9, 4}}).size() == 5);
}

TEST_CASE("learning: a Transformer reverses digits, medians of three seeds", "[training][.slow]") {
  std::vector<float> at_8, at_12, band;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Seq2SeqOptions options{.schedule = {.rate = 3e-3f}, .seed = seed};
    options.transformer.emplace();
    const ReversalScores scores = reversal_scores(trained_to_reverse(options, 300));
    at_8.push_back(scores.at_8);
    at_12.push_back(scores.at_12);
    band.push_back(scores.band);
  }
  CHECK(median(at_8) >= 0.9f);
  CHECK(median(at_12) >= 0.7f);
  CHECK(median(band) >= 0.8f);
}
