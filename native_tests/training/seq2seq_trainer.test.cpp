// SPDX-License-Identifier: MIT
// Training: reproducible, level in memory, the same in parts, and honest when it diverges.
#include "lookback/training/seq2seq_trainer.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "lookback/core/memory.hpp"
#include "lookback/tensor/cross_entropy.hpp"
#include "support/errors.hpp"
#include "training/small_run.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

std::string error_of_steps(Seq2SeqTrainer& trainer, int most) {
  return error_of([&] { return run_on(trainer, most); });
}

}  // namespace

TEST_CASE("trainer: the loss falls, for every cell and attention", "[training]") {
  for (Cell cell : {Cell::gru, Cell::lstm}) {
    for (Attention attention : {Attention::additive, Attention::none}) {
      Seq2SeqOptions options = small_options();
      options.model.cell = cell;
      options.model.attention = attention;
      Seq2SeqTrainer trainer = small_run(options);
      const float first = trainer.step().loss;
      // Guessing among 13 tokens costs 2.56.
      CHECK((first > 2.0f && first < 3.5f));
      run_on(trainer, 60);
      CHECK(trainer.report().step == 61);
      CHECK(trainer.report().loss < 0.8f * first);
    }
  }
}

TEST_CASE("trainer: the first loss is the cross entropy a token of the batch it drew", "[training]") {
  Seq2SeqTrainer trainer = small_run();
  // The run's generator stands behind the model's weights.
  Random random(trainer.save().number("random"));
  std::vector<Ids> sources, inputs, answers;
  for (int i = 0; i < 8; ++i) {
    const Example example = trainer.task().draw(random);
    sources.push_back(example.source);
    inputs.push_back(example.target);
    inputs.back().insert(inputs.back().begin(), kStart);
    answers.push_back(example.target);
    answers.back().push_back(kEnd);
  }
  const auto& model = dynamic_cast<const Model&>(trainer.model());
  const Tensor logits = model.logits(model.encode(sources), padded(inputs, kPadding, Order::by_time));
  const float loss = cross_entropy(logits, padded(answers, kIgnoredTarget, Order::by_time).ids).item();
  CHECK(is_close(static_cast<double>(trainer.step().loss), static_cast<double>(loss), kFloat32));
}

TEST_CASE("trainer: the same seed gives the same numbers, another seed others", "[training]") {
  Seq2SeqOptions options = small_options();
  options.model.dropout = 0.2f;
  Seq2SeqTrainer a = small_run(options), b = small_run(options);
  const std::vector<float> numbers = run_on(a, 10);
  CHECK_THAT(run_on(b, 10), close_to(numbers, kExact));
  CHECK_THAT(weights_of(b), close_to(weights_of(a), kExact));
  options.seed = 2;
  Seq2SeqTrainer c = small_run(options);
  CHECK_THAT(run_on(c, 10), !close_to(numbers));
}

TEST_CASE("trainer: a batch in parts is the batch", "[training]") {
  Seq2SeqOptions options = small_options();
  // Without it a rounding of a gradient near 0 becomes a whole step of the rate.
  options.adam.epsilon = 1e-2f;
  Seq2SeqTrainer whole = small_run(options);
  const std::vector<float> numbers = run_on(whole, 3);
  for (std::int64_t part : {1, 3, 5, 100}) {
    options.micro_batch = part;
    Seq2SeqTrainer parts = small_run(options);
    CHECK_THAT(run_on(parts, 3), close_to(numbers));
    CHECK_THAT(weights_of(parts), close_to(weights_of(whole)));
  }
}

TEST_CASE("trainer: advance() takes a micro-batch at a time", "[training]") {
  Seq2SeqOptions options = small_options();
  options.micro_batch = 3;
  Seq2SeqTrainer trainer = small_run(options);
  const std::vector<float> before = weights_of(trainer);
  for (int step = 1; step <= 2; ++step) {
    CHECK(!trainer.advance());
    CHECK(!trainer.advance());
    CHECK(trainer.report().step == step - 1);
    if (step == 1) CHECK_THAT(weights_of(trainer), close_to(before, kExact));
    CHECK(trainer.advance());
    CHECK(trainer.report().step == step);
  }
  CHECK_THAT(weights_of(trainer), !close_to(before, kExact));
}

TEST_CASE("trainer: rates follow the schedule, and a clipped gradient moves less", "[training]") {
  Seq2SeqOptions options = small_options();
  options.schedule = {.rate = 1e-2f, .warmup = 2, .decay = Schedule::Decay::linear, .steps = 4, .least = 0.5f};
  Seq2SeqTrainer trainer = small_run(options);
  std::vector<float> rates;
  for (int i = 0; i < 5; ++i) rates.push_back(trainer.step().rate);
  CHECK_THAT(rates, close_to({0.005, 0.01, 0.01, 0.0075, 0.005}));

  // With this epsilon Adam's first step is nearly in proportion to the gradient.
  options.adam.epsilon = 1e3f;
  options.clip = 0.0f;
  Seq2SeqTrainer free = small_run(options);
  const std::vector<float> start = weights_of(free);
  const float norm = free.step().gradient_norm;
  options.clip = norm / 4.0f;
  Seq2SeqTrainer clipped = small_run(options);
  CHECK(clipped.step().gradient_norm == norm);
  const auto moved = [&](const Seq2SeqTrainer& run) {
    const std::vector<float> weights = weights_of(run);
    double sum = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += std::abs(static_cast<double>(weights[i] - start[i]));
    return sum;
  };
  // Steps of 1e-8 on weights of .1 are rounded to the nearest 7e-9.
  CHECK(moved(clipped) < 0.5 * moved(free));
}

TEST_CASE("trainer: memory is level from step to step", "[training]") {
  const KeepFreedBuffers keep;
  Seq2SeqTrainer trainer = small_run();
  // The state of step 20 is kept; from 21 on every second copy there will be is there.
  run_on(trainer, 21);
  const std::int64_t level = live_bytes();
  for (int i = 22; i < 40; ++i) {
    trainer.step();
    CHECK(live_bytes() == level);
  }
  run_on(trainer, 2);
  CHECK(live_bytes() == level);
}

TEST_CASE("trainer: a run that diverges says so, and goes back to its last good step", "[training]") {
  Seq2SeqOptions options = small_options();
  options.schedule.rate = 1e6f;
  Seq2SeqTrainer trainer = small_run(options);
  const std::vector<float> start = weights_of(trainer);
  const std::string error = error_of_steps(trainer, 20);
  CHECK(error.find("state: trainer: step ") == 0);
  CHECK(error.find("diverged (loss ") != std::string::npos);
  CHECK(error.find("back at step 0, try a lower learning rate than 1e+06") != std::string::npos);
  CHECK(trainer.status() == Seq2SeqTrainer::Status::diverged);
  CHECK_THAT(weights_of(trainer), close_to(start, kExact));
  CHECK(trainer.report().step == 0);
  CHECK(error_of([&] { return trainer.advance(); }) ==
        "state: trainer: the run has diverged; load a state or lower the rate");
  CHECK(error_of([&] { return trainer.decode({3, 4}), 0; }) == "no error");

  Seq2SeqTrainer good = small_run();
  run_on(good, 5);
  trainer.restore(good.save());
  CHECK(trainer.status() == Seq2SeqTrainer::Status::ready);
  CHECK_THAT(weights_of(trainer), close_to(weights_of(good), kExact));
  // What it goes back to now is what it was given, not its first weights.
  CHECK(error_of_steps(trainer, 20).find("back at step 5") != std::string::npos);
  CHECK_THAT(weights_of(trainer), close_to(weights_of(good), kExact));
}

TEST_CASE("trainer: evaluation repeats itself and changes nothing", "[training]") {
  Seq2SeqTrainer trainer = small_run(), other = small_run();
  run_on(trainer, 3);
  run_on(other, 3);
  const std::vector<LengthScore> first = trainer.evaluate({2, 4, 9}, 10), again = trainer.evaluate({2, 4, 9}, 10);
  REQUIRE(first.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(first[i].count == 10);
    CHECK(first[i].length == std::vector<std::int64_t>{2, 4, 9}[i]);
    CHECK(again[i].token_accuracy == first[i].token_accuracy);
    CHECK(again[i].exact_match == first[i].exact_match);
    CHECK(again[i].band_mass == first[i].band_mass);
  }
  trainer.decode({3, 4, 5});
  trainer.decode({3, 4, 5}, 3);
  trainer.gradient_by_source({{3, 4}, {4, 3}}, 0);
  CHECK_THAT(run_on(trainer, 3), close_to(run_on(other, 3), kExact));
  CHECK(trainer.evaluate({}, 10).empty());
  CHECK(trainer.evaluate({2}, 0).front().count == 0);
}

TEST_CASE("trainer: outputs end within twice the source and 20", "[training]") {
  const Seq2SeqTrainer trainer = small_run();
  for (std::int64_t width : {1, 4}) {
    const Decoded output = trainer.decode({3, 4, 5}, width);
    CHECK(output.ids.size() <= 26);
    CHECK((output.is_complete || output.ids.size() == 26));
  }
  CHECK(trainer.decode({}).ids.size() <= 20);
}

TEST_CASE("trainer: aligning an output gives the weights it was decoded with", "[training]") {
  for (bool reverses_source : {false, true}) {
    Seq2SeqOptions options = small_options();
    options.model.reverses_source = reverses_source;
    Seq2SeqTrainer trainer = small_run(options);
    run_on(trainer, 60);
    const Ids source = {3, 9, 5, 7};
    const Decoded output = trainer.decode(source);
    REQUIRE(output.is_complete);
    const std::vector<std::vector<float>> rows = trainer.align({source, output.ids});
    REQUIRE(rows.size() == output.weights.size());
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK_THAT(rows[i], close_to(output.weights[i]));
  }
  Seq2SeqOptions options = small_options();
  options.model.attention = Attention::none;
  CHECK(small_run(options).align({{3, 4}, {4, 3}}).empty());
}

TEST_CASE("trainer: the gradient by source is that of the embedding's rows", "[training][gradient]") {
  const Example example{{4, 9, 3, 12}, {12, 3, 9, 4}};
  for (bool reverses_source : {false, true}) {
    Seq2SeqOptions options = small_options();
    options.model.reverses_source = reverses_source;
    const Seq2SeqTrainer trainer = small_run(options);
    for (std::int64_t position : {0, 2, 4}) {
      Model model = dynamic_cast<const Model&>(trainer.model());
      Tensor& table = *model.parameters().front().tensor;
      Tape tape;
      tape.watch(table);
      const Tensor logits =
          model.logits(model.encode({example.source}), padded({{kStart, 12, 3, 9, 4}}, kPadding, Order::by_time));
      Ids answers(5, kIgnoredTarget);
      answers[static_cast<std::size_t>(position)] = Ids{12, 3, 9, 4, kEnd}[static_cast<std::size_t>(position)];
      tape.backward(cross_entropy(logits, answers));
      const Tensor gradient = tape.gradient(table);
      std::vector<double> expected;
      for (std::int64_t id : example.source) {
        double sum = 0.0;
        for (float g : gradient.values().subspan(static_cast<std::size_t>(6 * id), 6)) {
          sum += static_cast<double>(g) * static_cast<double>(g);
        }
        expected.push_back(std::sqrt(sum));
      }
      CHECK_THAT(trainer.gradient_by_source(example, position), close_to(expected, {1e-7, 1e-5}));
    }
    CHECK(trainer.gradient_by_source({{}, {3}}, 0).empty());
    CHECK(error_of([&] { return trainer.gradient_by_source(example, 5); }) ==
          "range: trainer: position 5 is outside [0, 5)");
    CHECK(error_of([&] { return trainer.gradient_by_source(example, -1); }) ==
          "range: trainer: position -1 is outside [0, 5)");
  }
}

TEST_CASE("trainer: options that make no sense are named", "[training]") {
  const auto error = [](auto change) {
    Seq2SeqOptions options = small_options();
    change(options);
    return error_of([&] { return small_run(options), 0; });
  };
  CHECK(error([](auto& o) { o.batch = 0; }) == "value: trainer: batches of 0 and 8 examples");
  CHECK(error([](auto& o) { o.micro_batch = -1; }) == "value: trainer: batches of 8 and -1 examples");
  for (float rate : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    CHECK(error([&](auto& o) {
            o.schedule.rate = rate;
          }).find("value: trainer: the learning rate must be above 0 and finite, got ") == 0);
  }
  CHECK(error([](auto& o) { o.clip = -1.0f; }) == "value: trainer: clip must not be negative, got -1");
  CHECK(error([](auto& o) { o.schedule.warmup = -1; }).find("value: trainer: a schedule of -1 steps of warm-up") == 0);
  CHECK(error([](auto& o) { o.schedule.least = 2.0f; }).find("value: trainer: a schedule of ") == 0);
  CHECK(error([](auto& o) { o.model.hidden = 0; }).find("value: seq2seq: hidden ") == 0);
  CHECK(error([](auto& o) { o.adam.beta1 = 1.0f; }).find("value: optimiser: beta1 ") == 0);
}
