// SPDX-License-Identifier: MIT
// A step is a batch in micro-batches, each on a tape of its own, and one move of the optimiser.
#include "lookback/training/seq2seq_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/models/transformer/model.hpp"
#include "lookback/tensor/cross_entropy.hpp"
#include "lookback/training/seq2seq_scores.hpp"

namespace lookback::training {

namespace {

using namespace models::seq2seq;

constexpr const char* kKind = "lookback-seq2seq";
constexpr std::int64_t kStepsBetweenGood = 20;

/// What the decoder is fed and what it is to answer, by time.
struct Targets {
  PaddedIds inputs;
  Ids answers;
};

Targets targets_of(std::span<const Example> examples) {
  std::vector<Ids> inputs, answers;
  for (const Example& example : examples) {
    Ids input = {kStart};
    input.insert(input.end(), example.target.begin(), example.target.end());
    inputs.push_back(std::move(input));
    answers.push_back(example.target);
    answers.back().push_back(kEnd);
  }
  return {padded(inputs, kPadding, Order::by_time), padded(answers, kIgnoredTarget, Order::by_time).ids};
}

std::vector<Ids> sources_of(std::span<const Example> examples) {
  std::vector<Ids> sources;
  for (const Example& example : examples) sources.push_back(example.source);
  return sources;
}

std::int64_t num_answers(std::span<const Example> examples) {
  std::int64_t count = 0;
  for (const Example& example : examples) count += static_cast<std::int64_t>(example.target.size()) + 1;
  return count;
}

Seq2SeqOptions completed(Seq2SeqOptions options, const Task& task) {
  options.model.source_vocabulary = task.source().vocabulary();
  options.model.target_vocabulary = task.target().vocabulary();
  if (options.transformer) {
    options.transformer->source_vocabulary = task.source().vocabulary();
    options.transformer->target_vocabulary = task.target().vocabulary();
  }
  if (options.batch < 1 || options.micro_batch < 1) {
    throw ValueError(message("trainer: batches of ", options.batch, " and ", options.micro_batch, " examples"));
  }
  if (!(options.schedule.rate > 0.0f) || !std::isfinite(options.schedule.rate)) {
    throw ValueError(message("trainer: the learning rate must be above 0 and finite, got ", options.schedule.rate));
  }
  const Schedule& schedule = options.schedule;
  if (schedule.warmup < 0 || schedule.steps < 0 || !(schedule.least >= 0.0f && schedule.least <= 1.0f)) {
    throw ValueError(message("trainer: a schedule of ", schedule.warmup, " steps of warm-up, ", schedule.steps,
                             " in all and ", schedule.least, " of the rate at the end"));
  }
  if (!(options.clip >= 0.0f)) throw ValueError(message("trainer: clip must not be negative, got ", options.clip));
  return options;
}

std::unique_ptr<EncoderDecoder> make_model(const Seq2SeqOptions& options, Random& random) {
  if (options.transformer) return std::make_unique<models::transformer::Model>(*options.transformer, random);
  return std::make_unique<Model>(options.model, random);
}

/// What a checkpoint must have in common with the run that takes it up.
std::string describe(const Task& task, const EncoderDecoder& model) {
  return message(task.name(), " ", model.description());
}

std::string all_symbols(const Alphabet& alphabet) {
  std::string all;
  for (const std::string& symbol : alphabet.symbols()) (all += symbol) += '\n';
  return all;
}

/// Throws FormatError when the checkpoint is of another run.
void check_same_run(const Checkpoint& from, const Task& task, const EncoderDecoder& model) {
  const std::string own = describe(task, model);
  if (from.text("model") != own) {
    throw FormatError(message("checkpoint: is of '", from.text("model"), "', this run of '", own, "'"));
  }
  // Pairs of another text may have as many symbols.
  if (from.text("source_symbols") != all_symbols(task.source()) ||
      from.text("target_symbols") != all_symbols(task.target())) {
    throw FormatError(message("checkpoint: is of other symbols than this run of '", own, "'"));
  }
}

}  // namespace

Seq2SeqTrainer::Seq2SeqTrainer(std::shared_ptr<const Task> task, const Seq2SeqOptions& options)
    : task_(std::move(task)),
      options_(completed(options, *task_)),
      random_(options.seed),
      begun_(random_),
      model_(make_model(options_, random_)),
      optimiser_(options.adam) {
  good_ = save();
}

void Seq2SeqTrainer::begin_step() {
  begun_ = random_;
  examples_.clear();
  for (std::int64_t i = 0; i < options_.batch; ++i) examples_.push_back(task_->draw(random_));
  used_ = 0;
  gradients_.clear();
  loss_ = 0.0;
}

bool Seq2SeqTrainer::advance() {
  if (status_ == Status::diverged) throw StateError("trainer: the run has diverged; load a state or lower the rate");
  if (used_ == examples_.size()) begin_step();
  const std::size_t size = std::min(static_cast<std::size_t>(options_.micro_batch), examples_.size() - used_);
  const std::span part(examples_.data() + used_, size);
  const Targets targets = targets_of(part);
  const nn::Parameters parameters = model_->parameters();
  Tape tape;
  for (const nn::Parameter& parameter : parameters) tape.watch(*parameter.tensor);
  const Tensor logits = model_->forced(sources_of(part), targets.inputs, &random_).logits;
  const Tensor loss = cross_entropy(logits, targets.answers, static_cast<float>(num_answers(examples_)));
  tape.backward(loss);
  loss_ += static_cast<double>(loss.item());
  GradientList gradients = gradients_of(tape, parameters);
  if (gradients_.empty()) {
    gradients_ = std::move(gradients);
  } else {
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      TensorBuilder sum(std::move(gradients_[i]));
      kernels::accumulate(sum.data(), gradients[i].data(), 1.0f, gradients[i].size());
      gradients_[i] = std::move(sum).build();
    }
  }
  used_ += size;
  if (used_ < examples_.size()) return false;
  finish_step();
  return true;
}

void Seq2SeqTrainer::finish_step() {
  const float norm = global_norm(gradients_);
  const auto loss = static_cast<float>(loss_);
  check_sane(loss, norm);
  const float rate = options_.schedule.at(report_.step);
  optimiser_.step(model_->parameters(), gradients_, rate, clip_factor(norm, options_.clip));
  gradients_.clear();
  report_ = {report_.step + 1, loss, norm, rate};
  if (report_.step % kStepsBetweenGood == 0 && loss < highest_sane_loss() / 2.0f) good_ = save();
}

/// Guessing among all tokens costs ln V.
float Seq2SeqTrainer::highest_sane_loss() const {
  return 10.0f * std::log(static_cast<float>(model_->target_vocabulary()));
}

void Seq2SeqTrainer::check_sane(float loss, float norm) {
  if (std::isfinite(loss) && std::isfinite(norm) && loss <= highest_sane_loss()) return;
  const std::int64_t step = report_.step + 1;
  restore(good_);
  status_ = Status::diverged;
  throw StateError(message("trainer: step ", step, " diverged (loss ", loss, ", gradient norm ", norm,
                           "); back at step ", report_.step, ", try a lower learning rate than ",
                           options_.schedule.rate));
}

StepReport Seq2SeqTrainer::step() {
  while (!advance()) {
  }
  return report_;
}

std::vector<LengthScore> Seq2SeqTrainer::evaluate(const std::vector<std::int64_t>& lengths, std::int64_t count) const {
  std::vector<LengthScore> scores;
  for (std::int64_t length : lengths) {
    // Apart from the run's numbers: looking changes nothing.
    Random random(options_.seed * 1000003 + static_cast<std::uint64_t>(length) + 1);
    scores.push_back(score_length(*model_, task_->held_out(length, count, random), length));
  }
  return scores;
}

Decoded Seq2SeqTrainer::decode(const Ids& source, std::int64_t beam_width) const {
  const std::int64_t most = 2 * static_cast<std::int64_t>(source.size()) + 20;
  return beam_width == 1 ? decode_greedily(*model_, {source}, most).front()
                         : decode_by_beam(*model_, source, most, beam_width).front();
}

std::vector<std::vector<float>> Seq2SeqTrainer::align(const Example& example) const {
  return model_->align(example.source, targets_of({&example, 1}).inputs);
}

std::vector<float> Seq2SeqTrainer::gradient_by_source(const Example& example, std::int64_t position) const {
  Targets targets = targets_of({&example, 1});
  if (position < 0 || position >= targets.inputs.steps) {
    throw RangeError(message("trainer: position ", position, " is outside [0, ", targets.inputs.steps, ")"));
  }
  for (std::int64_t t = 0; t < targets.inputs.steps; ++t) {
    if (t != position) targets.answers[static_cast<std::size_t>(t)] = kIgnoredTarget;
  }
  const std::unique_ptr<EncoderDecoder> copy = model_->clone();
  Tape tape;
  for (const nn::Parameter& parameter : copy->parameters()) tape.watch(*parameter.tensor);
  const EncoderDecoder::Forced forced = copy->forced({example.source}, targets.inputs, nullptr);
  tape.keep_gradient(forced.embedded);
  tape.backward(cross_entropy(forced.logits, targets.answers));
  const Tensor gradient = tape.gradient(forced.embedded);
  std::vector<float> norms;
  for (std::int64_t j = 0; j < gradient.dim(1); ++j) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < gradient.dim(2); ++i) {
      const auto g = static_cast<double>(gradient.data()[j * gradient.dim(2) + i]);
      sum += g * g;
    }
    norms.push_back(static_cast<float>(std::sqrt(sum)));
  }
  if (model_->reads_from_the_end()) std::reverse(norms.begin(), norms.end());
  return norms;
}

Checkpoint Seq2SeqTrainer::save() const {
  Checkpoint result{.kind = kKind};
  const nn::Parameters parameters = model_->parameters();
  put_parameters(result, parameters);
  put_optimiser(result, parameters, optimiser_);
  result.texts["model"] = describe(*task_, *model_);
  result.texts["source_symbols"] = all_symbols(task_->source());
  result.texts["target_symbols"] = all_symbols(task_->target());
  result.numbers["step"] = static_cast<std::uint64_t>(report_.step);
  const bool is_between_steps = used_ == examples_.size();
  result.numbers["random"] = (is_between_steps ? random_ : begun_).state();
  return result;
}

Checkpoint Seq2SeqTrainer::read(std::vector<std::byte> bytes) { return Checkpoint::read(std::move(bytes), kKind); }

void Seq2SeqTrainer::restore(const Checkpoint& from) {
  check_same_run(from, *task_, *model_);
  const nn::Parameters parameters = model_->parameters();
  Optimiser::State state = take_optimiser(from, parameters);
  const auto step = static_cast<std::int64_t>(from.number("step"));
  const Random random(from.number("random"));
  if (step != state.steps || state.moments.size() != (step == 0 ? 0 : 2 * parameters.size())) {
    throw FormatError(message("checkpoint: is of step ", step, ", but its optimiser of step ", state.steps, " with ",
                              state.moments.size(), " moments"));
  }
  take_parameters(from, parameters);
  optimiser_.restore(std::move(state));
  report_ = {.step = step};
  random_ = random;
  examples_.clear();
  used_ = 0;
  status_ = Status::ready;
  good_ = from;
}

}  // namespace lookback::training
