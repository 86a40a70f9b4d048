// SPDX-License-Identifier: MIT
// Short runs for tests: small models on digits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lookback/training/seq2seq_trainer.hpp"
#include "support/tensors.hpp"

namespace lookback::test {

inline training::Seq2SeqOptions small_options() {
  return {.model = {.embedding = 6, .hidden = 8, .attention_hidden = 7}, .batch = 8, .micro_batch = 8};
}

inline std::shared_ptr<const training::Task> small_task(const char* name = "reverse") {
  return training::make_digit_task(name, 2, 4);
}

inline training::Seq2SeqTrainer small_run(const training::Seq2SeqOptions& options = small_options()) {
  return training::Seq2SeqTrainer(small_task(), options);
}

/// All weights, one after another.
inline std::vector<float> weights_of(const training::Seq2SeqTrainer& trainer) {
  std::vector<float> weights;
  const auto copy = trainer.model().clone();
  for (const nn::Parameter& parameter : copy->parameters()) {
    weights.insert(weights.end(), parameter.tensor->values().begin(), parameter.tensor->values().end());
  }
  return weights;
}

/// Loss, norm and rate of each of the next steps.
inline std::vector<float> run_on(training::Seq2SeqTrainer& trainer, int steps) {
  std::vector<float> numbers;
  for (int i = 0; i < steps; ++i) {
    const training::StepReport report = trainer.step();
    numbers.insert(numbers.end(), {report.loss, report.gradient_norm, report.rate});
  }
  return numbers;
}

}  // namespace lookback::test
