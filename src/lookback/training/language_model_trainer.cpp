// SPDX-License-Identifier: MIT
// A step: parts of the batch on tapes of their own, their gradients added up in order, one move of the optimiser.
#include "lookback/training/language_model_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/cross_entropy.hpp"

namespace lookback::training {

namespace {

using models::language_model::Config;
using models::language_model::Ids;
using models::language_model::Model;

constexpr const char* kKind = "lookback-language-model";

Config checked(const LanguageModelOptions& options) {
  options.model.check();
  if (options.batch < 1 || options.micro_batch < 1 || options.batch % options.micro_batch != 0) {
    throw ValueError(
        message("trainer: a batch of ", options.batch, " rows is not one or more parts of ", options.micro_batch));
  }
  if (!(options.schedule.rate > 0.0f) || !std::isfinite(options.schedule.rate)) {
    throw ValueError(message("trainer: the learning rate must be above 0 and finite, got ", options.schedule.rate));
  }
  if (!(options.clip >= 0.0f)) throw ValueError(message("trainer: clip must not be negative, got ", options.clip));
  return options.model;
}

Model new_model(const LanguageModelOptions& options) {
  Random random(mixed_seed(options.seed, 0));
  return Model(options.model, random);
}

void add_to(GradientList& sums, const GradientList& gradients) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    TensorBuilder sum(std::exchange(sums[i], Tensor()));
    kernels::accumulate(sum.data(), gradients[i].data(), 1.0f, gradients[i].size());
    sums[i] = std::move(sum).build();
  }
}

/// Tokens that are predicted together: all of them are read, the answers before `first` do not count.
struct Window {
  const Document* document;
  std::int64_t start;  ///< index into separator, ids..
  std::int64_t first;  ///< answers counted, relative to start
  std::int64_t length;
};

/// The first window of a document is full; each later one adds half of itself.
void add_windows(std::vector<Window>& windows, const Document& document, std::int64_t context) {
  const auto count = static_cast<std::int64_t>(document.ids.size());
  const std::int64_t stride = std::max<std::int64_t>(context / 2, 1);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t start = done == 0 ? 0 : std::min(done - (context - stride), count - context);
    const std::int64_t length = std::min(context, count - start);
    windows.push_back({&document, start, done - start, length});
    done = start + length;
  }
}

/// Sum over the windows, padded to the longest: a causal model does not see what comes after.
double nats_of(const Model& model, std::span<const Window> windows, io::TokenId separator) {
  std::int64_t length = 0;
  for (const Window& window : windows) length = std::max(length, window.length);
  Ids inputs, answers;
  for (const Window& window : windows) {
    const auto& ids = window.document->ids;
    for (std::int64_t t = 0; t < length; ++t) {
      const auto place = static_cast<std::size_t>(window.start + t);
      const bool is_there = t < window.length;
      inputs.push_back(!is_there || place == 0 ? separator : ids[place - 1]);
      answers.push_back(is_there && t >= window.first ? ids[place] : kIgnoredTarget);
    }
  }
  const Tensor logits = model.logits(inputs, static_cast<std::int64_t>(windows.size()));
  return static_cast<double>(cross_entropy(logits, answers, 1.0f).item());
}

}  // namespace

void each_in_turn(std::int64_t count, const std::function<void(std::int64_t)>& run) {
  for (std::int64_t i = 0; i < count; ++i) run(i);
}

double TextScore::bits_per_byte() const { return nats / std::log(2.0) / static_cast<double>(num_bytes); }

LanguageModelTrainer::LanguageModelTrainer(std::vector<Document> documents, io::TokenId separator,
                                           const LanguageModelOptions& options, ForEachPart for_each_part)
    : options_(options),
      separator_(separator),
      rows_(std::move(documents), separator, checked(options).context, mixed_seed(options.seed, 1)),
      for_each_part_(std::move(for_each_part)),
      model_(std::make_unique<Model>(new_model(options))),
      optimiser_(options.adam) {}

/// On a copy of the model: a tape marks what it watches.
LanguageModelTrainer::Part LanguageModelTrainer::run_part(const std::vector<std::vector<std::int64_t>>& rows,
                                                          std::int64_t part) const {
  Ids inputs, answers;
  for (std::int64_t r = part * options_.micro_batch; r < (part + 1) * options_.micro_batch; ++r) {
    const std::vector<std::int64_t>& row = rows[static_cast<std::size_t>(r)];
    inputs.insert(inputs.end(), row.begin(), row.end() - 1);
    answers.insert(answers.end(), row.begin() + 1, row.end());
  }
  const std::int64_t parts = options_.batch / options_.micro_batch;
  Random random(mixed_seed(mixed_seed(options_.seed, 2), static_cast<std::uint64_t>(report_.step * parts + part)));
  Model model = *model_;
  const nn::Parameters parameters = model.parameters();
  Tape tape;
  for (const nn::Parameter& parameter : parameters) tape.watch(*parameter.tensor);
  const Tensor logits = model.logits(inputs, options_.micro_batch, &random);
  const Tensor loss = cross_entropy(logits, answers, static_cast<float>(options_.batch * rows_.length()));
  tape.backward(loss);
  return {static_cast<double>(loss.item()), gradients_of(tape, parameters)};
}

LanguageModelStep LanguageModelTrainer::step() {
  const std::int64_t position = rows_.position();
  std::vector<std::vector<std::int64_t>> rows;
  for (std::int64_t i = 0; i < options_.batch; ++i) rows.push_back(rows_.next());
  std::vector<Part> parts(static_cast<std::size_t>(options_.batch / options_.micro_batch));
  for_each_part_(static_cast<std::int64_t>(parts.size()),
                 [&](std::int64_t i) { parts[static_cast<std::size_t>(i)] = run_part(rows, i); });
  double loss = 0.0;
  GradientList gradients = std::move(parts[0].gradients);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    loss += parts[i].loss;
    if (i > 0) add_to(gradients, parts[i].gradients);
  }
  const float norm = global_norm(gradients);
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    rows_.seek(position);
    throw StateError(message("trainer: step ", report_.step + 1, " diverged (loss ", loss, ", gradient norm ", norm,
                             "); try a lower learning rate than ", options_.schedule.rate));
  }
  const float rate = options_.schedule.at(report_.step);
  optimiser_.step(model_->parameters(), gradients, rate, clip_factor(norm, options_.clip));
  report_ = {report_.step + 1, static_cast<float>(loss), norm, rate};
  return report_;
}

TextScore LanguageModelTrainer::evaluate(const std::vector<Document>& documents) const {
  TextScore score;
  std::vector<Window> windows;
  for (const Document& document : documents) {
    add_windows(windows, document, options_.model.context);
    score.num_tokens += static_cast<std::int64_t>(document.ids.size());
    score.num_bytes += document.num_bytes;
  }
  // Those of one length together, so that there is little padding.
  std::stable_sort(windows.begin(), windows.end(),
                   [](const Window& a, const Window& b) { return a.length < b.length; });
  const auto size = static_cast<std::size_t>(options_.micro_batch);
  std::vector<double> nats((windows.size() + size - 1) / size);
  for_each_part_(static_cast<std::int64_t>(nats.size()), [&](std::int64_t part) {
    const auto i = static_cast<std::size_t>(part);
    const std::span rest = std::span<const Window>(windows).subspan(i * size);
    nats[i] = nats_of(*model_, rest.first(std::min(size, rest.size())), separator_);
  });
  score.nats = std::accumulate(nats.begin(), nats.end(), 0.0);
  return score;
}

/// What a checkpoint must have in common with the run that takes it up.
std::string LanguageModelTrainer::description() const {
  const Config& c = options_.model;
  return message("vocabulary ", c.vocabulary, ", context ", c.context, ", width ", c.width, ", layers ", c.layers,
                 ", heads ", c.heads, "/", c.kv_heads, ", feed forward ", c.feed_forward, ", ", rows_.num_tokens(),
                 " tokens of text");
}

Checkpoint LanguageModelTrainer::save() const {
  Checkpoint result{.kind = kKind};
  const nn::Parameters parameters = model_->parameters();
  put_parameters(result, parameters);
  put_optimiser(result, parameters, optimiser_);
  result.texts["run"] = description();
  result.numbers["step"] = static_cast<std::uint64_t>(report_.step);
  result.numbers["position"] = static_cast<std::uint64_t>(rows_.position());
  result.numbers["seed"] = options_.seed;
  return result;
}

void LanguageModelTrainer::restore(const Checkpoint& from) {
  if (from.text("run") != description()) {
    throw FormatError(message("checkpoint: is of '", from.text("run"), "', this run of '", description(), "'"));
  }
  if (from.number("seed") != options_.seed) {
    throw FormatError(message("checkpoint: is of seed ", from.number("seed"), ", this run of ", options_.seed));
  }
  const nn::Parameters parameters = model_->parameters();
  Optimiser::State state = take_optimiser(from, parameters);
  const auto step = static_cast<std::int64_t>(from.number("step"));
  rows_.seek(static_cast<std::int64_t>(from.number("position")));
  take_parameters(from, parameters);
  optimiser_.restore(std::move(state));
  report_ = {.step = step};
}

}  // namespace lookback::training
