// SPDX-License-Identifier: MIT
// The encoder-decoder: padding changes nothing, sources from their end, no attention, and what it says no to.
#include "lookback/models/seq2seq/model.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "lookback/tensor/cross_entropy.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/tape.hpp"
#include "models/seq2seq/small_model.hpp"
#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

const std::vector<Ids> kSources = {{3, 4, 5, 6}, {6, 5}, {4}, {3, 3, 6}};
const std::vector<Ids> kInputs = {{kStart, 3}, {kStart, 4, 5}, {kStart}, {kStart, 5, 3, 4}};

PaddedIds by_time(const std::vector<Ids>& inputs) { return padded(inputs, kPadding, Order::by_time); }

/// Logits and attention weights of item b up to its own lengths, from a batch's.
std::vector<float> logits_of(const Tensor& logits, std::size_t b, std::size_t steps) {
  std::vector<float> result;
  const auto item = static_cast<std::int64_t>(b), classes = logits.dim(2);
  for (std::int64_t t = 0; t < static_cast<std::int64_t>(steps); ++t) {
    const float* const row = logits.data() + (t * logits.dim(1) + item) * classes;
    result.insert(result.end(), row, row + classes);
  }
  return result;
}

}  // namespace

TEST_CASE("seq2seq: a batch with padding gives what each item gives alone", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    const Model model = small_model(config);
    std::vector<Tensor> weights;
    const Tensor batched = model.logits(model.encode(kSources), by_time(kInputs), nullptr, &weights);
    REQUIRE(batched.shape() == Shape{4, 4, config.target_vocabulary});
    for (std::size_t b = 0; b < kSources.size(); ++b) {
      std::vector<Tensor> own_weights;
      const Tensor alone = model.logits(model.encode({kSources[b]}), by_time({kInputs[b]}), nullptr, &own_weights);
      CHECK_THAT(logits_of(batched, b, kInputs[b].size()), close_to(logits_of(alone, 0, kInputs[b].size())));
      if (config.attention == Attention::none) continue;
      for (std::size_t t = 0; t < kInputs[b].size(); ++t) {
        std::vector<float> expected(own_weights[t].values().begin(), own_weights[t].values().end());
        expected.resize(4, 0.0f);  // none on padding
        CHECK_THAT(weights[t].values().subspan(b * 4, 4), close_to(expected));
      }
    }
  }
}

TEST_CASE("seq2seq: the embedding of padding has no part in anything", "[models][seq2seq][gradient]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    Model model = small_model(config);
    const auto loss_and_gradient = [&](Tensor& table) {
      Tape tape;
      for (const nn::Parameter& parameter : model.parameters()) tape.watch(*parameter.tensor);
      const Tensor logits = model.logits(model.encode(kSources), by_time(kInputs));
      Ids answers(static_cast<std::size_t>(logits.dim(0) * logits.dim(1)), kIgnoredTarget);
      answers[0] = 3;
      answers[5] = 4;
      tape.backward(cross_entropy(logits, answers));
      return tape.gradient(table);
    };
    Tensor& table = *model.parameters().front().tensor;
    REQUIRE(model.parameters().front().name == "source_embedding.table");
    const Tensor before = loss_and_gradient(table);
    CHECK_THAT(before.values().subspan(0, 5), close_to({0, 0, 0, 0, 0}, kExact));
    TensorBuilder planted(table);
    std::fill_n(planted.data(), 5, 1e3f);
    table = std::move(planted).build();
    CHECK_THAT(loss_and_gradient(table), close_to(before, kExact));
  }
}

TEST_CASE("seq2seq: reverses_source is feeding the sources from their ends", "[models][seq2seq]") {
  for (Config config : all_kinds()) {
    INFO(describe(config));
    config.reverses_source = false;
    const Model plain = small_model(config);
    config.reverses_source = true;
    const Model reversing = small_model(config);
    std::vector<Ids> reversed = kSources;
    for (Ids& source : reversed) std::reverse(source.begin(), source.end());
    CHECK_THAT(reversing.logits(reversing.encode(kSources), by_time(kInputs)),
               close_to(plain.logits(plain.encode(reversed), by_time(kInputs)), kExact));
  }
}

TEST_CASE("seq2seq: step by step gives the logits of all steps at once", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    const Model model = small_model(config);
    const Encoded source = model.encode(kSources);
    const PaddedIds inputs = by_time(kInputs);
    const Tensor all = model.logits(source, inputs);
    SequenceState state = source.state;
    for (std::int64_t t = 0; t < inputs.steps; ++t) {
      const auto* const first = inputs.ids.data() + t * inputs.batch;
      const Ids previous(first, first + inputs.batch);
      const DecoderStep step = model.step(source, state, previous);
      CHECK_THAT(model.step_logits(step, previous), close_to(slice(all, 0, t, t + 1).reshape({4, 6})));
      state = step.state;
    }
  }
}

TEST_CASE("seq2seq: attention weights are those of the source and sum to 1", "[models][seq2seq]") {
  const Model model = small_model(small_config());
  const Encoded source = model.encode(kSources);
  const DecoderStep step = model.step(source, source.state, {kStart, kStart, kStart, kStart});
  CHECK(step.context.shape() == Shape{4, 12});
  REQUIRE(step.weights.shape() == Shape{4, 4});
  for (std::size_t b = 0; b < 4; ++b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < kSources[b].size(); ++j) sum += static_cast<double>(step.weights.values()[b * 4 + j]);
    CHECK(is_close(sum, 1.0, kFloat32));
  }
}

TEST_CASE("seq2seq: without attention there are no weights, context and projection", "[models][seq2seq]") {
  Config config = small_config();
  config.attention = Attention::none;
  Model model = small_model(config);
  const Encoded source = model.encode(kSources);
  CHECK(source.projected.size() == 0);
  const DecoderStep step = model.step(source, source.state, {kStart, kStart, kStart, kStart});
  CHECK(step.weights.size() == 0);
  CHECK(step.context.size() == 0);
  for (const nn::Parameter& parameter : model.parameters()) {
    CHECK(parameter.name.find("attention") == std::string::npos);
    CHECK(parameter.name.find("context") == std::string::npos);
  }
}

TEST_CASE("seq2seq: parameters have names of their own, and the model uses them", "[models][seq2seq][gradient]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    Model model = small_model(config);
    Tape tape;
    std::vector<std::string> names;
    for (const nn::Parameter& parameter : model.parameters()) {
      names.push_back(parameter.name);
      tape.watch(*parameter.tensor);
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    const Tensor logits = model.logits(model.encode(kSources), by_time(kInputs));
    tape.backward(logits, random_tensor(logits.shape(), 5));
    for (const nn::Parameter& parameter : model.parameters()) {
      INFO(parameter.name);
      const Tensor gradient = tape.gradient(*parameter.tensor);
      CHECK(std::any_of(gradient.values().begin(), gradient.values().end(), [](float g) { return g != 0.0f; }));
    }
  }
}

TEST_CASE("seq2seq: an item that is all padding leaves loss and gradients as they are", "[models][seq2seq][gradient]") {
  Model model = small_model(small_config());
  const auto run = [&](const std::vector<Ids>& sources, const std::vector<Ids>& inputs) {
    Tape tape;
    for (const nn::Parameter& parameter : model.parameters()) tape.watch(*parameter.tensor);
    const Tensor logits = model.logits(model.encode(sources), by_time(inputs));
    Ids answers(static_cast<std::size_t>(logits.dim(0) * logits.dim(1)), kIgnoredTarget);
    for (std::size_t t = 0; t < 3; ++t) answers[t * sources.size()] = 3;
    const Tensor loss = cross_entropy(logits, answers);
    tape.backward(loss);
    std::vector<float> result = {loss.item()};
    for (const nn::Parameter& parameter : model.parameters()) {
      const Tensor gradient = tape.gradient(*parameter.tensor);
      result.insert(result.end(), gradient.values().begin(), gradient.values().end());
    }
    return result;
  };
  CHECK_THAT(run({{3, 4, 5}, {}}, {{kStart, 3, 4}, {}}), close_to(run({{3, 4, 5}}, {{kStart, 3, 4}})));
}

TEST_CASE("seq2seq: an empty source and an empty batch", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    const Model model = small_model(config);
    const Tensor alone = model.logits(model.encode({{}}), by_time({{kStart, 3}}));
    CHECK_THAT(alone, close_to(alone));  // finite
    const Tensor batched = model.logits(model.encode({{3, 4}, {}}), by_time({{kStart, 3}, {kStart, 3}}));
    CHECK_THAT(logits_of(batched, 1, 2), close_to(logits_of(alone, 0, 2)));
    const Encoded none = model.encode({});
    CHECK(none.annotations.shape() == Shape{0, 0, config.annotation_width()});
    CHECK(model.step(none, none.state, {}).state.hidden->shape() == Shape{0, config.hidden});
  }
}

TEST_CASE("seq2seq: dropout only with a generator", "[models][seq2seq]") {
  Config config = small_config();
  config.dropout = 0.5f;
  const Model model = small_model(config);
  config.dropout = 0.0f;
  const Model without = small_model(config);
  const Tensor plain = without.logits(without.encode(kSources), by_time(kInputs));
  CHECK_THAT(model.logits(model.encode(kSources), by_time(kInputs)), close_to(plain, kExact));
  Random a(5), b(5);
  const auto dropped = [&](Random& random) {
    return model.logits(model.encode(kSources, &random), by_time(kInputs), &random);
  };
  const Tensor first = dropped(a);
  CHECK_THAT(first, !close_to(plain));
  CHECK_THAT(dropped(b), close_to(first, kExact));
}

TEST_CASE("seq2seq: the same seed gives the same model", "[models][seq2seq]") {
  Model a = small_model(small_config(), 3), b = small_model(small_config(), 3), c = small_model(small_config(), 4);
  for (std::size_t i = 0; i < a.parameters().size(); ++i) {
    CHECK_THAT(*b.parameters()[i].tensor, close_to(*a.parameters()[i].tensor, kExact));
    CHECK_THAT(*c.parameters()[i].tensor, !close_to(*a.parameters()[i].tensor, kExact));
  }
}

TEST_CASE("seq2seq: ids outside the vocabulary are named", "[models][seq2seq]") {
  const Model model = small_model(small_config());
  for (std::int64_t id : {std::int64_t{-1}, std::int64_t{7}, std::int64_t{1} << 40}) {
    CHECK(error_of([&] { return model.encode({{3}, {4, id}}); }).find("range: ") == 0);
  }
  const Encoded source = model.encode({{3}});
  CHECK(error_of([&] { return model.step(source, source.state, {6}); }).find("range: ") == 0);
  CHECK(error_of([&] { return model.logits(source, by_time({{kStart, 6}})); }).find("range: ") == 0);
}

TEST_CASE("seq2seq: inputs of another batch are refused", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    const Model model = small_model(config);
    const Encoded source = model.encode(kSources);
    CHECK(error_of([&] {
            return model.logits(source, by_time({{kStart}, {kStart}}));
          }) == "shape: seq2seq: inputs of 2 items and 1 steps for 4 sources");
    CHECK(error_of([&] { return model.step(source, source.state, {kStart}); }) ==
          "shape: seq2seq: inputs of 1 items and 1 steps for 4 sources");
    CHECK(error_of([&] {
            return model.logits(source, by_time({{}, {}, {}, {}}));
          }) == "shape: seq2seq: inputs of 4 items and 0 steps for 4 sources");
  }
}

TEST_CASE("seq2seq: sizes that make no sense are named", "[models][seq2seq]") {
  const auto error = [](auto change) {
    Config config = small_config();
    change(config);
    return error_of([&] { return small_model(config); });
  };
  CHECK(error([](Config& c) { c.source_vocabulary = 2; }) ==
        "value: seq2seq: source_vocabulary must be from 3 to 65536, got 2");
  CHECK(error([](Config& c) { c.target_vocabulary = 65537; }) ==
        "value: seq2seq: target_vocabulary must be from 3 to 65536, got 65537");
  CHECK(error([](Config& c) { c.embedding = 0; }) == "value: seq2seq: embedding must be from 1 to 65536, got 0");
  CHECK(error([](Config& c) { c.hidden = -1; }) == "value: seq2seq: hidden must be from 1 to 65536, got -1");
  CHECK(error([](Config& c) { c.attention_hidden = 0; }) ==
        "value: seq2seq: attention_hidden must be from 1 to 65536, got 0");
  CHECK(error([](Config& c) { c.dropout = 1.0f; }) == "value: seq2seq: dropout must be in [0, 1), got 1");
  CHECK(error([](Config& c) {
          c.dropout = std::numeric_limits<float>::quiet_NaN();
        }).find("value: seq2seq: dropout must be in [0, 1), got ") == 0);
}
