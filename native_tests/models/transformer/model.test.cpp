// SPDX-License-Identifier: MIT
// The encoder-decoder Transformer: padding, what comes later, step by step, beams, and what it says no to.
#include "lookback/models/transformer/model.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "lookback/models/seq2seq/config.hpp"
#include "lookback/models/seq2seq/decoding.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;
using namespace lookback::models::seq2seq;
using TransformerConfig = models::transformer::Config;
using Transformer = models::transformer::Model;

namespace {

const std::vector<Ids> kSources = {{3, 4, 5, 6}, {6, 5}, {4}, {3, 3, 6}};
const std::vector<Ids> kInputs = {{kStart, 3}, {kStart, 4, 5}, {kStart}, {kStart, 5, 3, 4}};
constexpr std::int64_t kClasses = 6;

Transformer lively_model(std::uint64_t seed = 3) {
  Random random(seed);
  Transformer model(
      {.source_vocabulary = 7, .target_vocabulary = kClasses, .width = 12, .heads = 3, .feed_forward = 10, .layers = 2},
      random);
  for (const nn::Parameter& parameter : model.parameters()) {
    TensorBuilder builder(*parameter.tensor);
    for (std::int64_t i = 0; i < parameter.tensor->size(); ++i) builder.data()[i] += 0.3f * random.normal();
    *parameter.tensor = std::move(builder).build();
  }
  return model;
}

PaddedIds by_time(const std::vector<Ids>& inputs) { return padded(inputs, kPadding, Order::by_time); }

/// Logits of item b at step t, from [T, B, V].
std::vector<float> row_of(const Tensor& logits, std::size_t t, std::size_t b) {
  const auto row = static_cast<std::int64_t>(t) * logits.dim(1) + static_cast<std::int64_t>(b);
  const float* const first = logits.data() + row * logits.dim(2);
  return {first, first + kClasses};
}

}  // namespace

TEST_CASE("transformer: a batch with padding gives what each item gives alone", "[models][transformer]") {
  const Transformer model = lively_model();
  const Tensor batched = model.forced(kSources, by_time(kInputs), nullptr).logits;
  for (std::size_t b = 0; b < kSources.size(); ++b) {
    const Tensor alone = model.forced({kSources[b]}, by_time({kInputs[b]}), nullptr).logits;
    for (std::size_t t = 0; t < kInputs[b].size(); ++t) {
      CHECK_THAT(row_of(batched, t, b), close_to(row_of(alone, t, 0)));
    }
  }
}

TEST_CASE("transformer: logits do not depend on later inputs, but on the source's order", "[models][transformer]") {
  const Transformer model = lively_model();
  const Tensor one = model.forced({{3, 4, 5}}, by_time({{kStart, 4, 5, 3}}), nullptr).logits;
  const Tensor other = model.forced({{3, 4, 5}}, by_time({{kStart, 4, 3, 5}}), nullptr).logits;
  CHECK_THAT(row_of(one, 0, 0), close_to(row_of(other, 0, 0), kExact));
  CHECK_THAT(row_of(one, 1, 0), close_to(row_of(other, 1, 0), kExact));
  CHECK_THAT(row_of(one, 2, 0), !close_to(row_of(other, 2, 0)));
  const Tensor turned = model.forced({{5, 4, 3}}, by_time({{kStart, 4, 5, 3}}), nullptr).logits;
  CHECK_THAT(row_of(one, 0, 0), !close_to(row_of(turned, 0, 0)));
}

TEST_CASE("transformer: step by step is all at once, also for chosen rows", "[models][transformer]") {
  const Transformer model = lively_model();
  const std::vector<Ids> sources = {{3, 4, 5, 6}, {6, 5}};
  const std::vector<Ids> inputs = {{kStart, 3, 5}, {kStart, 4, 4}};
  const Tensor forced = model.forced(sources, by_time(inputs), nullptr).logits;
  const auto stepper = model.start(sources);
  for (std::size_t t = 0; t < 3; ++t) {
    const Stepper::Step step = stepper->next({inputs[0][t], inputs[1][t]});
    REQUIRE(step.logits.shape() == Shape{2, kClasses});
    REQUIRE(step.weights.shape() == Shape{2, 4});
    CHECK_THAT(step.logits.values().first(kClasses), close_to(row_of(forced, t, 0)));
    CHECK_THAT(step.logits.values().last(kClasses), close_to(row_of(forced, t, 1)));
    // Nothing of the second source's padding.
    CHECK(step.weights.data()[6] == 0.0f);
    CHECK(step.weights.data()[7] == 0.0f);
    CHECK(std::abs(std::accumulate(step.weights.data(), step.weights.data() + 4, 0.0f) - 1.0f) < 1e-5f);
    if (t > 0) continue;
    // Rows in another order and back.
    stepper->choose({1, 0});
    stepper->choose({1, 0});
  }
  CHECK(error_of([&] { return stepper->next({3}); }) == "shape: transformer: 1 tokens for 2 sources");
}

TEST_CASE("transformer: alignment is the last layer's, as decoding shows it", "[models][transformer]") {
  const Transformer model = lively_model();
  const Decoded decoded = decode_greedily(model, {{3, 6, 4}}, 5).front();
  Ids fed = {kStart};
  fed.insert(fed.end(), decoded.ids.begin(), decoded.ids.end());
  fed.resize(decoded.weights.size());
  const auto aligned = model.align({3, 6, 4}, by_time({fed}));
  REQUIRE(aligned.size() == decoded.weights.size());
  for (std::size_t t = 0; t < aligned.size(); ++t) CHECK_THAT(decoded.weights[t], close_to(aligned[t]));
}

TEST_CASE("transformer: a wide beam is at least as likely as the greedy output", "[models][transformer]") {
  for (std::uint64_t seed : {3u, 4u, 5u}) {
    const Transformer model = lively_model(seed);
    const double greedy = decode_greedily(model, {{3, 6, 4}}, 4).front().log_probability;
    const std::vector<Decoded> beams = decode_by_beam(model, {3, 6, 4}, 4, 5);
    CHECK(beams.size() == 5);
    CHECK(beams.front().log_probability >= greedy - 1e-5);
    CHECK_THAT(decode_by_beam(model, {3, 6, 4}, 4, 1).front().weights.front(),
               close_to(decode_greedily(model, {{3, 6, 4}}, 4).front().weights.front()));
  }
}

TEST_CASE("transformer: sizes and ids that make no sense are named", "[models][transformer]") {
  Random random(1);
  const auto error = [&](auto change) {
    TransformerConfig config{.source_vocabulary = 5, .target_vocabulary = 5};
    change(config);
    return error_of([&] { return Transformer(config, random); });
  };
  CHECK(error([](TransformerConfig& c) { c.heads = 5; }) == "value: transformer: 5 heads do not divide the width 64");
  CHECK(error([](TransformerConfig& c) { c.layers = 0; }) == "value: transformer: layers must be from 1 to 64, got 0");
  CHECK(error([](TransformerConfig& c) { c.source_vocabulary = 2; }).find("source_vocabulary must be from 3") !=
        std::string::npos);
  CHECK(error([](TransformerConfig& c) { c.dropout = std::nanf(""); }).find("dropout must be in [0, 1)") !=
        std::string::npos);
  const Transformer model = lively_model();
  CHECK(error_of([&] { return model.encode({{7}}); }).find("range: ") == 0);
  CHECK(error_of([&] { return model.forced(kSources, by_time({{kStart}}), nullptr).logits; }) ==
        "shape: transformer: inputs of 1 items and 1 steps for 4 sources");
}
