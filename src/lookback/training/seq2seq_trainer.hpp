// SPDX-License-Identifier: MIT
// Training of an encoder-decoder, a little at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/models/seq2seq/decoding.hpp"
#include "lookback/models/seq2seq/model.hpp"
#include "lookback/models/transformer/config.hpp"
#include "lookback/training/checkpoint.hpp"
#include "lookback/training/optimiser.hpp"
#include "lookback/training/schedule.hpp"
#include "lookback/training/task.hpp"

namespace lookback::training {

struct Seq2SeqOptions {
  models::seq2seq::Config model{};                           ///< its vocabularies come from the task
  std::optional<models::transformer::Config> transformer{};  ///< this one instead; its vocabularies too
  std::int64_t batch = 64;
  std::int64_t micro_batch = 64;  ///< items of one advance(); a batch is one or more of them
  Adam adam{};
  Schedule schedule{.rate = 5e-3f};
  float clip = 1.0f;  ///< of the gradient's norm; 0 is off
  std::uint64_t seed = 1;
};

/// One step of the optimiser.
struct StepReport {
  std::int64_t step = 0;       ///< 1, 2, ..
  float loss = 0.0f;           ///< nats a token, over the batch
  float gradient_norm = 0.0f;  ///< before clipping
  float rate = 0.0f;
};

/// How well held-out examples of one source length are decoded greedily.
struct LengthScore {
  std::int64_t length = 0;
  std::int64_t count = 0;       ///< of examples
  float token_accuracy = 0.0f;  ///< target tokens that stand at their place in the output
  float exact_match = 0.0f;     ///< outputs equal to their target, end included
  float band_mass = 0.0f;       ///< alignment weight within one place of the anti-diagonal; 0 without attention
  float lean = 0.0f;            ///< mean place of the alignment weight, right of the anti-diagonal; 0 as band_mass
};

/// The same seed, options and build give the same numbers, also across save and load.
class Seq2SeqTrainer {
 public:
  enum class Status { ready, diverged };

  /// Throws ValueError for sizes, rates and batches that make no sense, naming them.
  Seq2SeqTrainer(std::shared_ptr<const Task> task, const Seq2SeqOptions& options);

  /// One micro-batch: forward and backward. True when it was the batch's last and the weights have changed; report()
  /// then tells of the step. Throws StateError once the run has diverged: the loss or the gradient is not finite, or
  /// the loss is far above what guessing gives. The weights go back to the last good step first, of which every
  /// twentieth is kept, or to what was restored since.
  bool advance();
  /// As many as a step takes.
  StepReport step();
  const StepReport& report() const { return report_; }
  Status status() const { return status_; }

  /// `count` held-out examples of each length; the same ones for a given seed.
  std::vector<LengthScore> evaluate(const std::vector<std::int64_t>& lengths, std::int64_t count) const;

  /// The model's output for a source, with its alignment, within twice the source's length and 20.
  models::seq2seq::Decoded decode(const Ids& source, std::int64_t beam_width = 1) const;

  /// The weights [S] with which each of the target's tokens and the end are read off the source, the decoder being fed
  /// the right token before; of a Transformer the last layer's, mean of the heads. Empty without attention.
  std::vector<std::vector<float>> align(const Example& example) const;

  /// |d loss / d x_j| for every source position j, the loss being that of the target's token number `position`, fed the
  /// ones before it. Throws RangeError for a position beyond the end token.
  std::vector<float> gradient_by_source(const Example& example, std::int64_t position) const;

  /// All of the run's state between two steps; a step that has begun will be begun anew, with the same numbers.
  Checkpoint save() const;
  /// What save().bytes() gave. Throws FormatError for anything else.
  static Checkpoint read(std::vector<std::byte> bytes);
  /// Throws FormatError when it is damaged, or of another task, other symbols or another model; the run has not changed
  /// then.
  void restore(const Checkpoint& from);

  const Task& task() const { return *task_; }
  const models::seq2seq::EncoderDecoder& model() const { return *model_; }
  const Seq2SeqOptions& options() const { return options_; }

 private:
  void begin_step();
  void finish_step();
  void check_sane(float loss, float norm);
  float highest_sane_loss() const;

  std::shared_ptr<const Task> task_;
  Seq2SeqOptions options_;
  Random random_;
  Random begun_;  ///< before the step that has begun
  std::unique_ptr<models::seq2seq::EncoderDecoder> model_;
  Optimiser optimiser_;
  std::vector<Example> examples_{};  ///< of the step that has begun
  std::size_t used_ = 0;
  GradientList gradients_{};
  double loss_ = 0.0;
  StepReport report_{};
  Status status_ = Status::ready;
  Checkpoint good_{};
};

}  // namespace lookback::training
