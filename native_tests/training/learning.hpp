// SPDX-License-Identifier: MIT
// How well a run has learned to reverse digits, and medians over runs.
#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

#include "lookback/core/memory.hpp"
#include "lookback/training/seq2seq_trainer.hpp"

namespace lookback::test {

inline training::Seq2SeqTrainer trained_to_reverse(const training::Seq2SeqOptions& options, int steps) {
  const KeepFreedBuffers keep;
  training::Seq2SeqTrainer trainer(training::make_task("reverse"), options);
  for (int i = 0; i < steps; ++i) trainer.step();
  return trainer;
}

struct ReversalScores {
  float at_8, at_12, band;
};

/// On a hundred sources of each length; printed, so that a log shows how far from its bound a run was.
inline ReversalScores reversal_scores(const training::Seq2SeqTrainer& trainer) {
  const std::vector<training::LengthScore> scores = trainer.evaluate({8, 12}, 100);
  std::printf("accuracy at 8 %.3f, at 12 %.3f, band %.3f\n", static_cast<double>(scores[0].token_accuracy),
              static_cast<double>(scores[1].token_accuracy), static_cast<double>(scores[0].band_mass));
  return {scores[0].token_accuracy, scores[1].token_accuracy, scores[0].band_mass};
}

inline float median(std::vector<float> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

}  // namespace lookback::test
