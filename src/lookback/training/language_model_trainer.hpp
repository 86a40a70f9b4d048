// SPDX-License-Identifier: MIT
// Training of a language model on packed rows of text.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "lookback/models/language_model/model.hpp"
#include "lookback/training/checkpoint.hpp"
#include "lookback/training/language_text.hpp"
#include "lookback/training/optimiser.hpp"
#include "lookback/training/schedule.hpp"

namespace lookback::training {

/// Calls run(0) to run(count - 1), in any order or at the same time, and returns when all are done; what one of them
/// throws comes out. The parts of a step are independent, so a program with threads can pass its own.
using ForEachPart = std::function<void(std::int64_t count, const std::function<void(std::int64_t)>& run)>;
void each_in_turn(std::int64_t count, const std::function<void(std::int64_t)>& run);

struct LanguageModelOptions {
  models::language_model::Config model{};
  std::int64_t batch = 16;       ///< rows a step
  std::int64_t micro_batch = 8;  ///< rows of one part, on a tape of its own; bounds memory
  Adam adam{.beta2 = 0.99f, .weight_decay = 0.1f};
  Schedule schedule{.rate = 2e-3f, .warmup = 200, .decay = Schedule::Decay::cosine, .steps = 10000, .least = 0.05f};
  float clip = 1.0f;  ///< of the gradient's norm; 0 is off
  std::uint64_t seed = 1;
};

/// One step of the optimiser.
struct LanguageModelStep {
  std::int64_t step = 0;       ///< 1, 2, ..
  float loss = 0.0f;           ///< nats a token, over the batch, with dropout
  float gradient_norm = 0.0f;  ///< before clipping
  float rate = 0.0f;
};

/// How well documents are predicted; the end of a document is not counted.
struct TextScore {
  double nats = 0.0;
  std::int64_t num_tokens = 0;
  std::int64_t num_bytes = 0;

  double bits_per_byte() const;
};

/// The same seed, options and build give the same numbers, whatever runs the parts, and also across save and restore:
/// each part draws its dropout from a seed of its own, and gradients are added in the parts' order.
class LanguageModelTrainer {
 public:
  /// Rows are as long as the model's context. Throws ValueError for sizes, rates and batches that make no sense, naming
  /// them, and for too little text.
  LanguageModelTrainer(std::vector<Document> documents, io::TokenId separator, const LanguageModelOptions& options,
                       ForEachPart for_each_part = each_in_turn);

  /// Throws StateError when the loss or the gradient is not finite; the weights are then those of before the step.
  LanguageModelStep step();
  const LanguageModelStep& report() const { return report_; }

  /// Each document from its start, after a separator; beyond the context in windows that overlap by half.
  TextScore evaluate(const std::vector<Document>& documents) const;

  /// All of the run's state between two steps.
  Checkpoint save() const;
  /// Throws FormatError when it is damaged, or of another text or model; the run has not changed then.
  void restore(const Checkpoint& from);
  /// Only the weights of another run, whose text may differ: to go on with other text or another schedule. Throws
  /// FormatError when a tensor is missing or has another shape; nothing has changed then.
  void take_weights(const Checkpoint& from) { take_parameters(from, model_->parameters()); }

  const models::language_model::Model& model() const { return *model_; }
  const LanguageModelOptions& options() const { return options_; }
  const PackedRows& rows() const { return rows_; }

 private:
  struct Part {
    double loss = 0.0;
    GradientList gradients{};
  };
  Part run_part(const std::vector<std::vector<std::int64_t>>& rows, std::int64_t part) const;
  std::string description() const;

  LanguageModelOptions options_;
  io::TokenId separator_;
  PackedRows rows_;
  ForEachPart for_each_part_;
  std::unique_ptr<models::language_model::Model> model_;
  Optimiser optimiser_;
  LanguageModelStep report_{};
};

}  // namespace lookback::training
