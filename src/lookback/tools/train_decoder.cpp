// SPDX-License-Identifier: MIT
// `lookback train decoder`: a small language model from a folder of text.
#include <algorithm>
#include <bit>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <ostream>
#include <string>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/models/language_model/export.hpp"
#include "lookback/tools/arguments.hpp"
#include "lookback/tools/files.hpp"
#include "lookback/tools/parallel.hpp"
#include "lookback/tools/train.hpp"
#include "lookback/tools/training_texts.hpp"
#include "lookback/training/language_model_trainer.hpp"

namespace lookback::tools {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using training::LanguageModelOptions;
using training::LanguageModelTrainer;

constexpr OptionRule kRules[] = {
    {"--data"},     {"--out"},          {"--resume", false}, {"--tokenizer"},   {"--steps"},          {"--minutes"},
    {"--threads"},  {"--seed"},         {"--context"},       {"--width"},       {"--layers"},         {"--heads"},
    {"--kv-heads"}, {"--batch"},        {"--feed-forward"},  {"--micro-batch"}, {"--rate"},           {"--warmup"},
    {"--dropout"},  {"--weight-decay"}, {"--report-every"},  {"--f32", false},  {"--evaluate-every"}, {"--begin-with"},
    {"--name"},     {"--license"},      {"--description"}};
constexpr double kMinutesBetweenSaves = 3.0;

volatile std::sig_atomic_t g_is_interrupted = 0;
void interrupt(int) { g_is_interrupted = 1; }

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<training::Document> tokenised_all(const io::Tokenizer& tokenizer, const std::string& text) {
  std::vector<training::Document> documents;
  for (const std::string_view document : training::split_documents(text)) {
    documents.push_back(training::tokenised(tokenizer, document));
  }
  return documents;
}

LanguageModelOptions read_options(const Arguments& arguments) {
  LanguageModelOptions o;
  const auto real = [&](const char* name, float absent) {
    return static_cast<float>(arguments.number(name, static_cast<double>(absent)));
  };
  o.model.context = arguments.integer("--context", o.model.context);
  o.model.width = arguments.integer("--width", o.model.width);
  o.model.layers = arguments.integer("--layers", o.model.layers);
  o.model.heads = arguments.integer("--heads", o.model.heads);
  o.model.kv_heads = arguments.integer("--kv-heads", o.model.heads);
  o.model.feed_forward = arguments.integer("--feed-forward", o.model.feed_forward);
  o.model.dropout = real("--dropout", 0.1f);
  o.batch = arguments.integer("--batch", o.batch);
  o.micro_batch = arguments.integer("--micro-batch", std::min(o.batch, o.micro_batch));
  o.adam.weight_decay = real("--weight-decay", o.adam.weight_decay);
  o.schedule.rate = real("--rate", o.schedule.rate);
  o.schedule.steps = arguments.integer("--steps", o.schedule.steps);
  o.schedule.warmup = arguments.integer("--warmup", o.schedule.warmup);
  o.seed = arguments.seed("--seed", o.seed);
  return o;
}

std::int64_t positive(const Arguments& arguments, const char* name, std::int64_t absent) {
  const std::int64_t value = arguments.integer(name, absent);
  if (value < 1) throw UsageError(message(name, " should be 1 or more, not ", value));
  return value;
}

models::language_model::ExportOptions read_export_options(const Arguments& arguments) {
  models::language_model::ExportOptions options{.name = arguments.text("--name", "lookback decoder")};
  options.type = arguments.has("--f32") ? kernels::WeightType::f32 : kernels::WeightType::q8_0;
  for (const char* fact : {"license", "description"}) {
    const std::string option = std::string("--") + fact;
    if (arguments.has(option)) options.facts.emplace_back(std::string("general.") + fact, arguments.text(option));
  }
  return options;
}

training::Checkpoint read_checkpoint(const fs::path& path) {
  return naming(path, [&] { return training::Checkpoint::read(read_file(path), "lookback-language-model"); });
}

/// A reader sees the old file or the new one, whole.
void replace_file(const fs::path& path, std::span<const std::byte> bytes) {
  const fs::path part = path.string() + ".part";
  write_file(part, bytes);
  fs::rename(part, path);
}

/// Documents are told apart by the start token, which then ends a text.
void check_separates(const io::Tokenizer& tokenizer) {
  if (tokenizer.vocabulary().start == io::kNoToken) throw ValueError("--tokenizer: has no start token");
}

/// The run of one command: the trainer, and what goes to the disk when.
class DecoderRun {
 public:
  DecoderRun(const Arguments& arguments, std::ostream& output)
      : output_(output),
        path_(arguments.required("--out")),
        checkpoint_path_(path_.string() + ".checkpoint"),
        minutes_(arguments.number("--minutes", std::numeric_limits<double>::infinity())),
        threads_(positive(arguments, "--threads", std::max(1u, std::thread::hardware_concurrency()))),
        report_every_(positive(arguments, "--report-every", 50)),
        evaluate_every_(positive(arguments, "--evaluate-every", 500)),
        export_(read_export_options(arguments)) {
    LanguageModelOptions options = read_options(arguments);
    if (!arguments.has("--resume") && fs::exists(checkpoint_path_)) {
      throw ValueError(message(checkpoint_path_.string(), " exists: go on with --resume, or remove it"));
    }
    const Texts texts = read_texts(arguments.required("--data"));
    tokenizer_ = read_any_tokenizer(arguments.required("--tokenizer"));
    check_separates(*tokenizer_);
    options.model.vocabulary = tokenizer_->size();
    held_out_ = tokenised_all(*tokenizer_, texts.held_out);
    trainer_ = std::make_unique<LanguageModelTrainer>(
        tokenised_all(*tokenizer_, texts.training), tokenizer_->vocabulary().start, options,
        [this](std::int64_t count, const auto& run) { in_parallel(threads_, count, run); });
    if (arguments.has("--begin-with")) trainer_->take_weights(read_checkpoint(arguments.required("--begin-with")));
    if (arguments.has("--resume")) resume();
    describe();
  }

  void run() {
    const KeepFreedBuffers keep(std::int64_t{1} << 30);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    const std::int64_t steps = trainer_->options().schedule.steps;
    Clock::time_point saved = start_;
    while (trainer_->report().step < steps && seconds_since(start_) < 60.0 * minutes_ && !g_is_interrupted) {
      const training::LanguageModelStep step = trainer_->step();
      loss_ += static_cast<double>(step.loss);
      if (step.step % report_every_ == 0) report(step);
      if (step.step % evaluate_every_ == 0 || step.step == steps) evaluate();
      if (seconds_since(saved) < 60.0 * kMinutesBetweenSaves) continue;
      save();
      saved = Clock::now();
    }
    save();
    output_ << "saved " << checkpoint_path_.string() << " at step " << trainer_->report().step << "\n";
  }

 private:
  void resume() {
    const training::Checkpoint checkpoint = read_checkpoint(checkpoint_path_);
    trainer_->restore(checkpoint);
    best_ = std::bit_cast<double>(checkpoint.number("best"));
    reported_step_ = trainer_->report().step;
  }

  void save() const {
    training::Checkpoint checkpoint = trainer_->save();
    checkpoint.numbers["best"] = std::bit_cast<std::uint64_t>(best_);
    replace_file(checkpoint_path_, checkpoint.bytes());
  }

  void describe() {
    models::language_model::Model model = trainer_->model();
    const auto& rows = trainer_->rows();
    output_ << nn::count(model.parameters()) << " parameters, vocabulary " << tokenizer_->size() << ", "
            << rows.num_tokens() << " tokens of text, " << rows.rows_per_epoch() / trainer_->options().batch
            << " steps an epoch, " << held_out_.size() << " documents held out, " << threads_ << " threads\n"
            << std::flush;
  }

  void report(const training::LanguageModelStep& step) {
    const std::int64_t steps = step.step - reported_step_;
    const double seconds = seconds_since(reported_);
    const double loss = loss_ / static_cast<double>(steps);
    const auto tokens = static_cast<double>(steps * trainer_->options().batch * trainer_->rows().length());
    output_ << std::fixed << "step " << step.step << "  loss " << std::setprecision(4) << loss << "  norm "
            << std::setprecision(3) << step.gradient_norm << "  rate " << std::setprecision(6) << step.rate << "  "
            << std::setprecision(0) << tokens / seconds << " tokens/s\n"
            << std::flush;
    reported_ = Clock::now();
    reported_step_ = step.step;
    loss_ = 0.0;
  }

  void evaluate() {
    const Clock::time_point began = Clock::now();
    const double bits = trainer_->evaluate(held_out_).bits_per_byte();
    const bool is_better = bits < best_;
    output_ << "step " << trainer_->report().step << "  held out " << std::fixed << std::setprecision(4) << bits
            << " bits per byte" << (is_better ? ", the best" : "") << "\n"
            << std::flush;
    if (is_better) {
      best_ = bits;
      replace_file(path_, to_gguf(trainer_->model(), &tokenizer_->vocabulary(), export_));
    }
    reported_ += Clock::now() - began;
  }

  std::ostream& output_;
  fs::path path_, checkpoint_path_;
  double minutes_;
  std::int64_t threads_, report_every_, evaluate_every_;
  models::language_model::ExportOptions export_;
  std::unique_ptr<io::Tokenizer> tokenizer_{};
  std::vector<training::Document> held_out_{};
  std::unique_ptr<LanguageModelTrainer> trainer_{};
  double best_ = std::numeric_limits<double>::infinity();
  Clock::time_point start_ = Clock::now(), reported_ = start_;
  std::int64_t reported_step_ = 0;
  double loss_ = 0.0;
};

}  // namespace

void train_decoder(std::span<const std::string_view> words, std::ostream& output) {
  const Arguments arguments(words, kRules);
  if (!arguments.words().empty()) throw UsageError(message("train decoder: what is ", arguments.words()[0], "?"));
  DecoderRun(arguments, output).run();
}

}  // namespace lookback::tools
