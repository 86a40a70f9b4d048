// SPDX-License-Identifier: MIT
// Training for JavaScript: convert, call, convert.
#include "lookback/bindings/training.hpp"

#include <emscripten/bind.h>

#include <numeric>

#include "lookback/bindings/convert.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::bindings {

namespace {

using training::Alphabet;
using training::Example;
using training::Ids;

std::int64_t integer(const val& options, const char* name) {
  return static_cast<std::int64_t>(options[name].as<double>());
}

float number(const val& options, const char* name) { return static_cast<float>(options[name].as<double>()); }

std::shared_ptr<const training::Task> task_of(const val& options) {
  if (!options["pairs"].isUndefined()) {
    const bool by_word = text_or(options, "unit", "character") == "word";
    return training::make_pair_task(training::parse_pairs(to_text(options["pairs"])),
                                    by_word ? training::Unit::word : training::Unit::character);
  }
  const std::string name = text_or(options, "task", "");
  if (options["least"].isUndefined()) return training::make_task(name);
  return training::make_digit_task(name, integer(options, "least"), integer(options, "most"));
}

models::seq2seq::Config config_of(const val& options) {
  using namespace models::seq2seq;
  return {.embedding = integer(options, "embedding"),
          .hidden = integer(options, "hidden"),
          .attention_hidden = integer(options, "attentionHidden"),
          .cell = text_or(options, "cell", "gru") == "lstm" ? Cell::lstm : Cell::gru,
          .is_bidirectional = flag(options, "bidirectional"),
          .attention = text_or(options, "attention", "additive") == "none" ? Attention::none : Attention::additive,
          .reverses_source = flag(options, "reverseSource"),
          .dropout = number(options, "dropout")};
}

std::optional<models::transformer::Config> transformer_of(const val& options) {
  if (text_or(options, "model", "recurrent") != "transformer") return std::nullopt;
  return models::transformer::Config{.width = integer(options, "hidden"),
                                     .heads = integer(options, "heads"),
                                     .feed_forward = integer(options, "feedForward"),
                                     .layers = integer(options, "layers"),
                                     .dropout = number(options, "dropout")};
}

training::Seq2SeqOptions options_of(const val& options) {
  const auto low = static_cast<std::uint32_t>(options["seedLow"].as<double>());
  const auto high = static_cast<std::uint32_t>(options["seedHigh"].as<double>());
  const auto transformer = transformer_of(options);
  return {.model = transformer ? models::seq2seq::Config{} : config_of(options),
          .transformer = transformer,
          .batch = integer(options, "batch"),
          .micro_batch = integer(options, "microBatch"),
          .schedule = {.rate = number(options, "learningRate"), .warmup = integer(options, "warmup")},
          .clip = number(options, "clip"),
          .seed = std::uint64_t{high} << 32 | low};
}

val from_texts(const std::vector<std::string>& texts) {
  val result = val::array();
  for (const std::string& text : texts) result.call<void>("push", text);
  return result;
}

/// The symbols one by one.
val symbols_of(const Alphabet& alphabet, const Ids& ids) {
  std::vector<std::string> texts;
  for (std::int64_t id : ids) texts.push_back(alphabet.text_of({id}));
  return from_texts(texts);
}

/// {data, shape [rows, columns]}
val from_rows(const std::vector<std::vector<float>>& rows, std::size_t columns) {
  std::vector<float> all;
  for (const std::vector<float>& row : rows) all.insert(all.end(), row.begin(), row.end());
  val result = val::object();
  result.set("data", from_floats(all));
  result.set("shape", from_shape({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns)}));
  return result;
}

Example example_of(const TrainingHandle& training, const val& source, const val& target) {
  const training::Task& task = training.trainer->task();
  Example example{task.source().ids_of(to_text(source)), {}};
  if (!target.isUndefined()) {
    example.target = task.target().ids_of(to_text(target));
  } else if (const auto answer = task.answer(example.source)) {
    example.target = *answer;
  } else {
    throw ValueError(
        message("training: the task '", task.name(), "' does not know the target of this source; give it"));
  }
  return example;
}

}  // namespace

val open_training(val options) {
  auto handle = std::make_shared<TrainingHandle>();
  handle->trainer = std::make_unique<training::Seq2SeqTrainer>(task_of(options), options_of(options));
  val result = val::object();
  result.set("training", handle);
  return result;
}

val training_info(TrainingHandle& training) {
  const training::Seq2SeqTrainer& trainer = *training.trainer;
  const auto copy = trainer.model().clone();
  val lengths = val::array();
  for (std::int64_t length : trainer.task().lengths()) lengths.call<void>("push", static_cast<double>(length));
  val result = val::object();
  result.set("task", trainer.task().name());
  result.set("parameters", static_cast<double>(nn::count(copy->parameters())));
  result.set("sourceSymbols", from_texts(trainer.task().source().symbols()));
  result.set("targetSymbols", from_texts(trainer.task().target().symbols()));
  result.set("lengths", lengths);
  result.set("step", static_cast<double>(trainer.report().step));
  result.set("bytes", static_cast<double>(live_bytes()));
  return result;
}

val training_advance(TrainingHandle& training) {
  const bool is_done = training.trainer->advance();
  const training::StepReport& report = training.trainer->report();
  val result = val::object();
  result.set("done", is_done);
  result.set("step", static_cast<double>(report.step));
  result.set("loss", report.loss);
  result.set("gradientNorm", report.gradient_norm);
  result.set("learningRate", report.rate);
  return result;
}

val training_evaluate(TrainingHandle& training, int length, int count) {
  const training::LengthScore score = training.trainer->evaluate({length}, count).front();
  val result = val::object();
  result.set("length", static_cast<double>(score.length));
  result.set("count", static_cast<double>(score.count));
  result.set("tokenAccuracy", score.token_accuracy);
  result.set("exactMatch", score.exact_match);
  result.set("bandMass", score.band_mass);
  result.set("lean", score.lean);
  return result;
}

val training_decode(TrainingHandle& training, val source, int beam_width) {
  const training::Task& task = training.trainer->task();
  const Ids ids = task.source().ids_of(to_text(source));
  const models::seq2seq::Decoded output = training.trainer->decode(ids, beam_width);
  val result = val::object();
  result.set("output", task.target().text_of(output.ids));
  result.set("isComplete", output.is_complete);
  result.set("logProbability", output.log_probability);
  result.set("source", symbols_of(task.source(), ids));
  result.set("target", symbols_of(task.target(), output.ids));
  result.set("weights", from_rows(output.weights, ids.size()));
  return result;
}

val training_align(TrainingHandle& training, val source, val target) {
  const training::Task& task = training.trainer->task();
  const Example example = example_of(training, source, target);
  val result = val::object();
  result.set("source", symbols_of(task.source(), example.source));
  result.set("target", symbols_of(task.target(), example.target));
  result.set("weights", from_rows(training.trainer->align(example), example.source.size()));
  return result;
}

val training_gradients(TrainingHandle& training, val source, val target, int position, bool is_relative) {
  std::vector<float> norms = training.trainer->gradient_by_source(example_of(training, source, target), position);
  const float sum = std::accumulate(norms.begin(), norms.end(), 0.0f);
  if (is_relative && sum > 0.0f) {
    for (float& norm : norms) norm /= sum;
  }
  return from_floats(norms);
}

val training_save(TrainingHandle& training) {
  const std::vector<std::byte> bytes = training.trainer->save().bytes();
  return val(emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data())))
      .call<val>("slice");
}

val training_restore(TrainingHandle& training, FileBytes& file) {
  training.trainer->restore(training::Seq2SeqTrainer::read(std::move(file.bytes())));
  return val::object();
}

}  // namespace lookback::bindings
