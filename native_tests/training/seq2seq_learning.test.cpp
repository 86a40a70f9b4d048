// SPDX-License-Identifier: MIT
// Does it learn? Reversal of digits: with attention also for sequences longer than one vector can hold, without it not.
// Slow ones are run by their tag.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "lookback/training/seq2seq_trainer.hpp"
#include "training/learning.hpp"
#include "training/small_run.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

Seq2SeqTrainer trained(std::uint64_t seed, Attention attention, int steps) {
  Seq2SeqOptions options{.seed = seed};
  options.model.attention = attention;
  return trained_to_reverse(options, steps);
}

const Example kTwelve{{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3, 4}, {4, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3}};

/// How much of what the last digit depends on, of all twelve positions, is the position that it is a copy of.
float share_of_first(const Seq2SeqTrainer& trainer) {
  const std::vector<float> gradient = trainer.gradient_by_source(kTwelve, 11);
  return gradient[0] / std::accumulate(gradient.begin(), gradient.end(), 0.0f);
}

}  // namespace

TEST_CASE("learning: digits are reversed after 250 steps, by attending along the anti-diagonal",
          "[training][learning]") {
  const Seq2SeqTrainer trainer = trained(1, Attention::additive, 250);
  const ReversalScores scores = reversal_scores(trainer);
  CHECK(scores.at_8 >= 0.93f);
  CHECK(scores.at_12 >= 0.75f);
  CHECK(scores.band >= 0.85f);
  // The last answer but the end is the first of the source, and so is what it depends on.
  const std::vector<float> gradient = trainer.gradient_by_source(kTwelve, 11);
  REQUIRE(gradient.size() == 12);
  CHECK(std::max_element(gradient.begin(), gradient.end()) - gradient.begin() <= 1);
}

TEST_CASE("learning: medians of five seeds, with attention and without", "[training][.slow]") {
  std::vector<float> at_8, at_12, band, without_at_8, without_at_12, share, without_share;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Seq2SeqTrainer attending = trained(seed, Attention::additive, 250);
    const Seq2SeqTrainer plain = trained(seed, Attention::none, 300);
    const ReversalScores with = reversal_scores(attending), without = reversal_scores(plain);
    share.push_back(share_of_first(attending));
    without_share.push_back(share_of_first(plain));
    std::printf("share of the gradient %.3f, without attention %.3f\n", static_cast<double>(share.back()),
                static_cast<double>(without_share.back()));
    at_8.push_back(with.at_8);
    at_12.push_back(with.at_12);
    band.push_back(with.band);
    without_at_8.push_back(without.at_8);
    without_at_12.push_back(without.at_12);
  }
  CHECK(median(at_8) >= 0.93f);
  CHECK(median(at_12) >= 0.75f);
  CHECK(median(band) >= 0.85f);
  CHECK(median(without_at_8) <= 0.70f);
  CHECK(median(without_at_12) <= 0.50f);
  CHECK(median(share) > median(without_share));
}
