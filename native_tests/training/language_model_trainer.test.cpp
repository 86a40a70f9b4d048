// SPDX-License-Identifier: MIT
#include "lookback/training/language_model_trainer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "lookback/tensor/softmax.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::close_to;
using lookback::test::error_of;
using lookback::test::kExact;
using namespace lookback;
using namespace lookback::training;

namespace {

/// Counting by twos or threes from a random number, modulo 16, after the separator 16.
std::vector<Document> counting(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Document> documents;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t first = random.below(16), stride = 2 + random.below(2);
    Document document{.num_bytes = 12};
    for (std::uint32_t t = 0; t < 10; ++t) document.ids.push_back(static_cast<io::TokenId>((first + stride * t) % 16));
    documents.push_back(std::move(document));
  }
  return documents;
}

LanguageModelOptions small_options() {
  LanguageModelOptions options;
  options.model = {.vocabulary = 17,
                   .context = 12,
                   .width = 16,
                   .layers = 2,
                   .heads = 2,
                   .kv_heads = 1,
                   .feed_forward = 24,
                   .dropout = 0.1f};
  options.batch = 8;
  options.micro_batch = 2;
  options.schedule = {.rate = 1e-2f, .warmup = 5, .decay = Schedule::Decay::cosine, .steps = 200};
  return options;
}

LanguageModelTrainer small_trainer(const LanguageModelOptions& options = small_options(),
                                   ForEachPart for_each_part = each_in_turn) {
  return LanguageModelTrainer(counting(100, 5), 16, options, std::move(for_each_part));
}

void last_first(std::int64_t count, const std::function<void(std::int64_t)>& run) {
  while (count-- > 0) run(count);
}

std::vector<float> weights_of(const LanguageModelTrainer& trainer) {
  models::language_model::Model model = trainer.model();
  std::vector<float> all;
  for (const nn::Parameter& parameter : model.parameters()) {
    const auto values = parameter.tensor->values();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

}  // namespace

TEST_CASE("language model trainer: it learns to count", "[training]") {
  LanguageModelOptions options = small_options();
  options.model.dropout = 0.0f;
  options.schedule.steps = 600;
  LanguageModelTrainer trainer = small_trainer(options);
  const std::vector<Document> held_out = counting(40, 77);
  const double before = trainer.evaluate(held_out).nats / 400.0;
  // Guessing among 17 tokens.
  CHECK_THAT(std::vector<double>{before}, close_to(std::vector<double>{std::log(17.0)}, {0.05, 0.0}));
  while (trainer.report().step < 600) trainer.step();
  // The first number is one of 16, the second one of two, the other eight follow.
  const double least = (std::log(16.0) + std::log(2.0)) / 10.0;
  const TextScore score = trainer.evaluate(held_out);
  CHECK(score.nats / 400.0 > least);
  CHECK(score.nats / 400.0 < least + 0.1);
  CHECK(score.num_tokens == 400);
  CHECK(score.num_bytes == 480);
  CHECK_THAT(std::vector<double>{score.bits_per_byte()},
             close_to(std::vector<double>{score.nats / std::log(2.0) / 480.0}, {1e-12, 0.0}));
}

TEST_CASE("language model trainer: the order of parts changes nothing, their number only rounding", "[training]") {
  LanguageModelTrainer a = small_trainer(), b = small_trainer(small_options(), last_first);
  LanguageModelOptions other = small_options();
  other.seed = 2;
  LanguageModelTrainer c = small_trainer(other);
  for (int i = 0; i < 5; ++i) {
    a.step();
    b.step();
    c.step();
  }
  CHECK(weights_of(a) == weights_of(b));
  CHECK(weights_of(a) != weights_of(c));
  LanguageModelOptions whole = small_options();
  whole.model.dropout = 0.0f;
  LanguageModelTrainer parts = small_trainer(whole);
  whole.micro_batch = 8;
  LanguageModelTrainer one = small_trainer(whole);
  const LanguageModelStep first = parts.step(), second = one.step();
  CHECK_THAT(std::vector<float>({first.loss, first.gradient_norm}),
             close_to(std::vector<float>({second.loss, second.gradient_norm})));
}

TEST_CASE("language model trainer: save and restore lose nothing", "[training]") {
  LanguageModelTrainer straight = small_trainer();
  for (int i = 0; i < 7; ++i) straight.step();
  const std::vector<std::byte> file = straight.save().bytes();
  for (int i = 0; i < 30; ++i) straight.step();
  LanguageModelTrainer resumed = small_trainer();
  resumed.restore(Checkpoint::read(file, "lookback-language-model"));
  CHECK(resumed.report().step == 7);
  for (int i = 0; i < 30; ++i) resumed.step();
  CHECK(weights_of(resumed) == weights_of(straight));
  CHECK(resumed.report().loss == straight.report().loss);
}

TEST_CASE("language model trainer: a checkpoint of another run is refused and changes nothing", "[training]") {
  LanguageModelTrainer trainer = small_trainer();
  trainer.step();
  const std::vector<float> weights = weights_of(trainer);
  const auto error = [&](LanguageModelOptions options, std::int64_t documents) {
    LanguageModelTrainer other(counting(documents, 5), 16, options);
    return error_of([&] { return trainer.restore(other.save()), 0; });
  };
  LanguageModelOptions wider = small_options();
  wider.model.width = 32;
  CHECK_THAT(error(wider, 100),
             ContainsSubstring("format: ") && ContainsSubstring("width 32") && ContainsSubstring("width 16"));
  CHECK_THAT(error(small_options(), 99), ContainsSubstring("1089 tokens of text"));
  LanguageModelOptions reseeded = small_options();
  reseeded.seed = 9;
  CHECK_THAT(error(reseeded, 100), ContainsSubstring("seed 9"));
  CHECK(weights_of(trainer) == weights);
}

TEST_CASE("language model trainer: windows beyond the context score each token once", "[training]") {
  const LanguageModelTrainer trainer = small_trainer();
  // 30 tokens in a context of 12: windows begin at 0, 6, 12, 18 and count 12, 6, 6, 6 answers.
  Document document{.num_bytes = 30};
  std::vector<std::int64_t> stream = {16};
  for (std::int64_t i = 0; i < 30; ++i) {
    document.ids.push_back(static_cast<io::TokenId>(i * 7 % 16));
    stream.push_back(i * 7 % 16);
  }
  double expected = 0.0;
  for (const auto& [start, first] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {6, 6}, {12, 6}, {18, 6}}) {
    const std::int64_t* const window = stream.data() + start;
    const std::vector<std::int64_t> inputs(window, window + 12);
    const Tensor logs = log_softmax(trainer.model().logits(inputs, 1));
    for (std::int64_t t = first; t < 12; ++t) {
      expected -= static_cast<double>(logs.data()[t * 17 + window[t + 1]]);
    }
  }
  const TextScore score = trainer.evaluate({document});
  CHECK(score.num_tokens == 30);
  CHECK_THAT(std::vector<double>{score.nats}, close_to(std::vector<double>{expected}, {1e-4, 0.0}));
}

TEST_CASE("language model trainer: senseless options are named", "[training]") {
  const auto error = [](auto change) {
    LanguageModelOptions options = small_options();
    change(options);
    return error_of([&] { return small_trainer(options); });
  };
  CHECK_THAT(error([](auto& o) { o.batch = 0; }), ContainsSubstring("value: trainer: a batch of 0 rows"));
  CHECK_THAT(error([](auto& o) { o.micro_batch = 3; }), ContainsSubstring("8 rows is not one or more parts of 3"));
  CHECK_THAT(error([](auto& o) { o.schedule.rate = NAN; }), ContainsSubstring("learning rate"));
  CHECK_THAT(error([](auto& o) { o.clip = -1.0f; }), ContainsSubstring("clip"));
  CHECK_THAT(error([](auto& o) {
               o.model.vocabulary = 16;
               o.seed = 1;
             }),
             ContainsSubstring("no error"));
  LanguageModelOptions small = small_options();
  small.model.vocabulary = 16;  // the separator is 16
  LanguageModelTrainer trainer = small_trainer(small);
  CHECK_THAT(error_of([&] { return trainer.step(); }), ContainsSubstring("range: ") && ContainsSubstring("16"));
}

TEST_CASE("language model trainer: a run that diverges stops and keeps its weights", "[training]") {
  LanguageModelOptions options = small_options();
  options.schedule = {.rate = 1e30f};
  options.clip = 0.0f;
  LanguageModelTrainer trainer = small_trainer(options);
  std::string error = "no error";
  for (int i = 0; i < 5 && error == "no error"; ++i) error = error_of([&] { return trainer.step(); });
  CHECK_THAT(error, ContainsSubstring("state: trainer: step 2 diverged"));
  CHECK(trainer.report().step == 1);
}

TEST_CASE("language model trainer: every part of a batch has its own dropout", "[training]") {
  // One token over and over: all rows are equal, and so are the losses of parts unless they drop different numbers.
  const Document same{.ids = std::vector<io::TokenId>(200, 3), .num_bytes = 200};
  const auto first_loss = [&](std::int64_t batch, float dropout) {
    LanguageModelOptions options = small_options();
    options.model.dropout = dropout;
    options.batch = batch;
    options.micro_batch = 1;
    return LanguageModelTrainer({same}, 3, options, each_in_turn).step().loss;
  };
  CHECK(std::abs(first_loss(1, 0.0f) - first_loss(4, 0.0f)) < 1e-5f);
  CHECK(std::abs(first_loss(1, 0.5f) - first_loss(4, 0.5f)) > 1e-3f);
}
