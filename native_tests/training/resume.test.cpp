// SPDX-License-Identifier: MIT
// A run that was saved goes on bit for bit; what is not this run's, or damaged, is refused and changes nothing.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "lookback/training/seq2seq_trainer.hpp"
#include "support/errors.hpp"
#include "training/small_run.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

/// Through bytes, as a file goes.
Checkpoint reread(const Checkpoint& checkpoint) { return Seq2SeqTrainer::read(checkpoint.bytes()); }

/// What restoring the bytes throws, "no error" when it throws nothing.
std::string error_of_restoring(Seq2SeqTrainer& into, std::vector<std::byte> bytes) {
  return error_of([&] { return into.restore(Seq2SeqTrainer::read(std::move(bytes))), 0; });
}

bool is_refusal(const std::string& error) { return error.find("format: ") == 0 || error.find("unsupported: ") == 0; }

}  // namespace

TEST_CASE("resume: goes on bit for bit, with every cell, dropout and micro-batches", "[training]") {
  for (Cell cell : {Cell::gru, Cell::lstm}) {
    for (float dropout : {0.0f, 0.3f}) {
      Seq2SeqOptions options = small_options();
      options.model.cell = cell;
      options.model.dropout = dropout;
      options.micro_batch = 3;
      options.schedule.warmup = 10;
      Seq2SeqTrainer run = small_run(options);
      run_on(run, 4);
      const Checkpoint saved = reread(run.save());
      const std::vector<float> numbers = run_on(run, 3);
      options.seed = 99;  // the run's own generator comes with it
      Seq2SeqTrainer resumed = small_run(options);
      run_on(resumed, 2);
      resumed.restore(saved);
      CHECK(resumed.report().step == 4);
      CHECK_THAT(run_on(resumed, 3), close_to(numbers, kExact));
      CHECK_THAT(weights_of(resumed), close_to(weights_of(run), kExact));
    }
  }
}

TEST_CASE("resume: a step that had begun is begun anew, with the same numbers", "[training]") {
  Seq2SeqOptions options = small_options();
  options.model.dropout = 0.3f;
  options.micro_batch = 3;
  Seq2SeqTrainer run = small_run(options);
  run_on(run, 2);
  run.advance();
  const Checkpoint saved = reread(run.save());
  Seq2SeqTrainer resumed = small_run(options);
  resumed.advance();
  resumed.restore(saved);
  const std::vector<float> numbers = run_on(run, 3);
  CHECK_THAT(run_on(resumed, 3), close_to(numbers, kExact));
}

TEST_CASE("resume: before the first step", "[training]") {
  Seq2SeqTrainer run = small_run(), resumed = small_run();
  run_on(resumed, 2);
  resumed.restore(reread(run.save()));
  CHECK_THAT(run_on(resumed, 3), close_to(run_on(run, 3), kExact));
}

TEST_CASE("resume: a state of another task or model is refused, naming both", "[training]") {
  const Checkpoint saved = small_run().save();
  const auto error = [&](const char* task, auto change) {
    Seq2SeqOptions options = small_options();
    change(options.model);
    Seq2SeqTrainer other(small_task(task), options);
    const std::vector<float> before = weights_of(other);
    std::string text = error_of([&] { return other.restore(saved), 0; });
    CHECK_THAT(weights_of(other), close_to(before, kExact));
    return text;
  };
  CHECK(error("copy", [](Config&) {}) ==
        "format: checkpoint: is of 'reverse 13 to 13, gru 6 8 7, bidirectional', "
        "this run of 'copy 13 to 13, gru 6 8 7, bidirectional'");
  CHECK(error("reverse", [](Config& c) { c.hidden = 9; }).find("this run of 'reverse 13 to 13, gru 6 9 7") !=
        std::string::npos);
  CHECK(error("reverse", [](Config& c) { c.cell = Cell::lstm; }).find("lstm") != std::string::npos);
  CHECK(error("reverse", [](Config& c) { c.attention = Attention::none; }).find("no attention") != std::string::npos);
  CHECK(error("reverse", [](Config& c) { c.reverses_source = true; }).find("source reversed") != std::string::npos);
  CHECK(error("reverse", [](Config& c) { c.is_bidirectional = false; }).find("format: ") == 0);
  CHECK(error("reverse", [](Config& c) { c.reset = kernels::GruReset::before; }).find("reset before") !=
        std::string::npos);
}

TEST_CASE("resume: pairs with as many other symbols are another run", "[training]") {
  const std::shared_ptr<const Task> ours = make_pair_task({{"ab", "xy"}}, Unit::character);
  const std::shared_ptr<const Task> theirs = make_pair_task({{"ac", "xy"}}, Unit::character);
  Seq2SeqTrainer run(ours, small_options()), other(theirs, small_options());
  CHECK(error_of([&] { return other.restore(run.save()), 0; }).find("format: checkpoint: is of other symbols") == 0);
  Seq2SeqTrainer same(make_pair_task({{"ba", "yx"}, {"b", "x"}}, Unit::character), small_options());
  CHECK(error_of([&] { return same.restore(run.save()), 0; }) == "no error");
}

TEST_CASE("resume: parts that are missing or disagree are named", "[training]") {
  Seq2SeqTrainer run = small_run();
  run_on(run, 2);
  const Checkpoint saved = run.save();
  const std::vector<float> before = weights_of(run);
  const auto error = [&](auto change) {
    Checkpoint changed = saved;
    change(changed);
    return error_of([&] { return run.restore(changed), 0; });
  };
  CHECK(error([](Checkpoint& c) { c.tensors.erase("decoder.output.bias"); }) ==
        "format: checkpoint: 'decoder.output.bias' is missing");
  CHECK(error([](Checkpoint& c) { c.tensors.erase("moment1.decoder.output.bias"); }) ==
        "format: checkpoint: 'moment1.decoder.output.bias' is missing");
  CHECK(error([](Checkpoint& c) { c.tensors["decoder.output.bias"] = Tensor::zeros({2}); }) ==
        "format: checkpoint: tensor 'decoder.output.bias' has shape [2], the model's has [13]");
  CHECK(error([](Checkpoint& c) { c.tensors["moment0.decoder.output.bias"] = Tensor::zeros({2}); }) ==
        "format: checkpoint: tensor 'moment0.decoder.output.bias' has shape [2], the model's has [13]");
  CHECK(error([](Checkpoint& c) { c.tensors["decoder.output.bias"] = Tensor::full({13}, NAN); }) ==
        "format: checkpoint: tensor 'decoder.output.bias' holds NaN or infinity");
  for (const char* name : {"step", "random", "optimiser.steps", "optimiser.moments"}) {
    CHECK(error([&](Checkpoint& c) { c.numbers.erase(name); }) ==
          std::string("format: checkpoint: '") + name + "' is missing");
  }
  CHECK(error([](Checkpoint& c) { c.texts.erase("model"); }) == "format: checkpoint: 'model' is missing");
  for (const char* name : {"step", "optimiser.steps", "optimiser.moments"}) {
    for (std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3}, ~std::uint64_t{0}}) {
      CHECK(error([&](Checkpoint& c) { c.numbers[name] = value; }).find("format: checkpoint: ") == 0);
    }
  }
  CHECK_THAT(weights_of(run), close_to(before, kExact));
  CHECK(run.report().step == 2);
}

TEST_CASE("resume: bytes that end too early are refused", "[training]") {
  Seq2SeqTrainer run = small_run();
  const std::vector<std::byte> bytes = run.save().bytes();
  const std::vector<float> before = weights_of(run);
  int refused = 0, tried = 0;
  for (std::size_t size = 0; size < bytes.size(); size += size < 3000 ? 1 : 97) {
    ++tried;
    const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(size);
    if (is_refusal(error_of_restoring(run, {bytes.begin(), end}))) ++refused;
  }
  CHECK(refused == tried);
  CHECK_THAT(weights_of(run), close_to(before, kExact));
}

TEST_CASE("resume: a flipped byte before the numbers is refused or harmless", "[training]") {
  Seq2SeqTrainer run = small_run();
  run_on(run, 1);
  const std::vector<std::byte> bytes = run.save().bytes();
  const std::vector<float> before = weights_of(run);
  // The numbers come last: weights and two moments each.
  const std::size_t header = bytes.size() - 3 * before.size() * sizeof(float);
  REQUIRE(header > 1000);
  for (std::size_t at = 0; at < header; ++at) {
    for (unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] ^= static_cast<std::byte>(flip);
      const std::string error = error_of_restoring(run, std::move(damaged));
      if (error == "no error" || is_refusal(error)) continue;
      FAIL_CHECK("byte " << at << " flipped by " << flip << ": " << error);
    }
  }
  CHECK(error_of_restoring(run, bytes) == "no error");
  CHECK_THAT(weights_of(run), close_to(before, kExact));
}
