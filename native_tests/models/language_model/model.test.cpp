// SPDX-License-Identifier: MIT
#include "lookback/models/language_model/model.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lookback/core/check.hpp"
#include "lookback/models/decoder/session.hpp"
#include "lookback/models/language_model/export.hpp"
#include "lookback/tensor/cross_entropy.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/tape.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::close_to;
using lookback::test::error_of;
using namespace lookback;
using namespace lookback::models::language_model;

namespace {

constexpr Config kSmall{
    .vocabulary = 11, .context = 9, .width = 8, .layers = 2, .heads = 4, .kv_heads = 2, .feed_forward = 12};

/// Weights large enough for every part to matter, norms included.
Model lively_model(const Config& config, std::uint64_t seed) {
  Random random(seed);
  Model model(config, random);
  for (const nn::Parameter& parameter : model.parameters()) {
    TensorBuilder builder(parameter.tensor->shape());
    const float middle = parameter.tensor->rank() == 1 ? 1.0f : 0.0f;
    for (std::int64_t i = 0; i < parameter.tensor->size(); ++i) {
      builder.data()[i] = middle + 0.5f * random.normal();
    }
    *parameter.tensor = std::move(builder).build();
  }
  return model;
}

Tensor decoder_logits(const std::vector<std::byte>& file, const Ids& ids) {
  models::DecoderSession session(std::make_shared<const models::DecoderModel>(io::ModelFile(file)));
  const std::vector<io::TokenId> tokens(ids.begin(), ids.end());
  session.run(tokens, {.all_logits = true});
  const auto logits = session.all_logits();
  const auto length = static_cast<std::int64_t>(ids.size());
  return Tensor({1, length, static_cast<std::int64_t>(logits.size()) / length}, {logits.begin(), logits.end()});
}

const Ids kIds = {3, 1, 4, 1, 5, 9, 2, 6, 5};

double loss_of(const Model& model, const Ids& answers) {
  return static_cast<double>(cross_entropy(model.logits(kIds, 3), answers).item());
}

}  // namespace

TEST_CASE("language model: the decoder that reads its file gives the same logits", "[models]") {
  Config config = kSmall;
  config.kv_heads = GENERATE(1, 2, 4);
  config.rotary_base = GENERATE(10000.0, 100.0);
  Model model = lively_model(config, 7);
  const std::vector<std::byte> file = to_gguf(model, nullptr);
  const models::DecoderConfig read = models::read_decoder_config(io::ModelFile(file));
  CHECK(read.is_output_tied);
  CHECK(read.kv_heads == config.kv_heads);
  // Both sum in f32, in different orders; logits are of size 10.
  CHECK_THAT(model.logits(kIds, 1), close_to(decoder_logits(file, kIds), {1e-4, 1e-5}));
}

TEST_CASE("language model: on a tape the logits are the same, and sequences of a batch don't meet", "[models]") {
  Model model = lively_model(kSmall, 8);
  const Tensor plain = model.logits(kIds, 3);
  const Tensor second = model.logits({1, 5, 9}, 1);
  CHECK_THAT(slice(plain, 0, 1, 2), close_to(second));
  Tape tape;
  for (const nn::Parameter& parameter : model.parameters()) tape.watch(*parameter.tensor);
  CHECK_THAT(model.logits(kIds, 3), close_to(plain));
}

TEST_CASE("language model: gradients are central differences", "[models][gradient]") {
  Config config = kSmall;
  config.kv_heads = GENERATE(2, 4);
  Model model = lively_model(config, 9);
  const Ids answers = {1, 4, kIgnoredTarget, 5, 9, 2, 6, 5, 10};
  Model watched = model;
  Tape tape;
  for (const nn::Parameter& parameter : watched.parameters()) tape.watch(*parameter.tensor);
  tape.backward(cross_entropy(watched.logits(kIds, 3), answers));
  const nn::Parameters parameters = model.parameters(), with_gradient = watched.parameters();
  Random random(3);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Tensor gradient = tape.gradient(*with_gradient[p].tensor);
    const auto i = static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(gradient.size())));
    const auto loss_with = [&](float step) {
      const Tensor kept = *parameters[p].tensor;
      TensorBuilder changed(kept);
      changed.data()[i] += step;
      *parameters[p].tensor = std::move(changed).build();
      const double loss = loss_of(model, answers);
      *parameters[p].tensor = kept;
      return loss;
    };
    const auto difference = [&](float step) {
      return (loss_with(step) - loss_with(-step)) / (2.0 * static_cast<double>(step));
    };
    // Richardson's step takes out the third derivative, which is large here; the fifth is left.
    constexpr float kStep = 8e-3f;
    const double expected = (4.0 * difference(kStep / 2.0f) - difference(kStep)) / 3.0;
    INFO(parameters[p].name << "[" << i << "]");
    // The loss is an f32 of size 5, whose rounding of 2.4e-7 becomes 1e-4.
    CHECK_THAT(std::vector<float>{gradient.data()[i]}, close_to(std::vector<double>{expected}, {1e-3, 1e-2}));
  }
}

TEST_CASE("language model: dropout is drawn from the generator given", "[models]") {
  Config config = kSmall;
  config.dropout = 0.5f;
  const Model model = lively_model(config, 10);
  const auto logits = [&](std::uint64_t seed) {
    Random random(seed);
    return model.logits(kIds, 1, &random);
  };
  CHECK_THAT(logits(1), close_to(logits(1), test::kExact));
  CHECK_THAT(logits(1), !close_to(logits(2)));
  CHECK_THAT(logits(1), !close_to(model.logits(kIds, 1)));
}

TEST_CASE("language model: errors name the numbers", "[models]") {
  Random random(1);
  const auto config_error = [&](auto change) {
    Config config = kSmall;
    change(config);
    return error_of([&] { return Model(config, random); });
  };
  CHECK_THAT(config_error([](Config& c) { c.vocabulary = 0; }),
             ContainsSubstring("value: ") && ContainsSubstring("vocabulary must be from 1 to 65536, got 0"));
  CHECK_THAT(config_error([](Config& c) { c.heads = 3; }), ContainsSubstring("3 heads"));
  CHECK_THAT(config_error([](Config& c) { c.heads = 8; }), ContainsSubstring("even width"));
  CHECK_THAT(config_error([](Config& c) { c.kv_heads = 3; }), ContainsSubstring("3 key/value heads do not divide 4"));
  CHECK_THAT(config_error([](Config& c) { c.dropout = 1.0f; }), ContainsSubstring("dropout must be in [0, 1), got 1"));
  CHECK_THAT(config_error([](Config& c) { c.norm_epsilon = -1.0f; }), ContainsSubstring("epsilon"));
  CHECK_THAT(config_error([](Config& c) { c.rotary_base = 0.0; }), ContainsSubstring("rotary base"));
  const Model model(kSmall, random);
  CHECK_THAT(error_of([&] { return model.logits({1, 2, 3}, 2); }), ContainsSubstring("shape: language_model: 3 ids"));
  CHECK_THAT(error_of([&] { return model.logits(Ids(10, 1), 1); }), ContainsSubstring("10 ids for 1 sequences"));
  CHECK_THAT(error_of([&] { return model.logits({}, 1); }), ContainsSubstring("0 ids"));
  CHECK_THAT(error_of([&] { return model.logits({11}, 1); }), ContainsSubstring("range: ") && ContainsSubstring("11"));
}
