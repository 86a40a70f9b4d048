// SPDX-License-Identifier: MIT
// Encoder-decoders against PyTorch: values and all gradients of fixtures/seq2seq.json, which seq2seq.py writes.
#include <catch2/catch_test_macros.hpp>

#include "lookback/tensor/cross_entropy.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/reduce.hpp"
#include "lookback/tensor/tape.hpp"
#include "models/seq2seq/small_model.hpp"
#include "support/files.hpp"
#include "support/json.hpp"

using namespace lookback;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

/// PyTorch computed in double; sums here are of some ten products, over a few steps.
constexpr Tolerance kTorch{1e-5, 1e-5};

std::int64_t integer(const Json& value) { return static_cast<std::int64_t>(value.number()); }

Config config_of(const Json& c) {
  return {.source_vocabulary = integer(c["source_vocabulary"]),
          .target_vocabulary = integer(c["target_vocabulary"]),
          .embedding = integer(c["embedding"]),
          .hidden = integer(c["hidden"]),
          .attention_hidden = integer(c["attention_hidden"]),
          .cell = c["cell"].text() == "lstm" ? Cell::lstm : Cell::gru,
          .is_bidirectional = integer(c["bidirectional"]) == 1,
          .attention = integer(c["attention"]) == 1 ? Attention::additive : Attention::none,
          .reverses_source = integer(c["reversed"]) == 1};
}

Model model_of(const Json& c) {
  Model model = small_model(config_of(c));
  assign(model, [&](const std::string& name, const Shape& shape) {
    return Tensor(shape, c["parameters"][name].numbers<float>());
  });
  return model;
}

void watch(Tape& tape, Model& model) {
  for (const nn::Parameter& parameter : model.parameters()) tape.watch(*parameter.tensor);
}

void check_gradients(const Tape& tape, Model& model, const Json& expected) {
  for (const nn::Parameter& parameter : model.parameters()) {
    INFO(parameter.name);
    CHECK_THAT(tape.gradient(*parameter.tensor).values(),
               close_to(expected["d_" + parameter.name].numbers<double>(), kTorch));
  }
}

std::vector<Ids> rows_of(const Json& rows) {
  std::vector<Ids> result;
  for (const Json& row : rows.items()) result.push_back(row.numbers<std::int64_t>());
  return result;
}

}  // namespace

TEST_CASE("seq2seq: a decoder step and its gradients are PyTorch's", "[models][seq2seq][gradient]") {
  const Json fixture = Json::read(fixture_path("seq2seq.json"));
  REQUIRE(fixture["steps"].size() == 2);
  for (const Json& c : fixture["steps"].items()) {
    INFO(c["cell"].text());
    Model model = model_of(c);
    const Json& given = c["leaves"];
    const std::int64_t n = model.config().hidden, width = model.config().annotation_width();
    const bool is_lstm = model.config().cell == Cell::lstm;
    Tensor annotations({3, 4, width}, given["annotations"].numbers<float>());
    Tensor projected({3, 4, model.config().attention_hidden}, given["projected"].numbers<float>());
    Tensor hidden({3, n}, given["hidden"].numbers<float>()), cell;
    Tape tape;
    watch(tape, model);
    tape.watch(annotations);
    tape.watch(projected);
    tape.watch(hidden);
    SequenceState state{hidden, std::nullopt};
    if (is_lstm) {
      cell = Tensor({3, n}, given["cell"].numbers<float>());
      tape.watch(cell);
      state.cell = cell;
    }
    const Encoded source{c["lengths"].numbers<std::int64_t>(), Tensor(), annotations, projected, {}};
    const Ids previous = c["previous"].numbers<std::int64_t>();
    const DecoderStep step = model.step(source, state, previous);
    std::vector<std::pair<const char*, Tensor>> results = {{"hidden", *step.state.hidden},
                                                           {"weights", step.weights},
                                                           {"context", step.context},
                                                           {"logits", model.step_logits(step, previous)}};
    if (is_lstm) results.emplace_back("cell", *step.state.cell);
    Tensor total = Tensor::scalar(0);
    for (const auto& [name, value] : results) {
      INFO(name);
      CHECK_THAT(value.values(), close_to(c["results"][name].numbers<double>(), kTorch));
      total = add(total, sum(multiply(value, Tensor(value.shape(), c["upstream"][name].numbers<float>()))));
    }
    tape.backward(total);
    check_gradients(tape, model, c["gradients"]);
    const auto gradient = [&](const Tensor& x) { return tape.gradient(x).values(); };
    CHECK_THAT(gradient(annotations), close_to(c["gradients"]["d_annotations"].numbers<double>(), kTorch));
    CHECK_THAT(gradient(projected), close_to(c["gradients"]["d_projected"].numbers<double>(), kTorch));
    CHECK_THAT(gradient(hidden), close_to(c["gradients"]["d_hidden"].numbers<double>(), kTorch));
    if (is_lstm) CHECK_THAT(gradient(cell), close_to(c["gradients"]["d_cell"].numbers<double>(), kTorch));
  }
}

TEST_CASE("seq2seq: the loss of a padded batch and every gradient are PyTorch's", "[models][seq2seq][gradient]") {
  const Json fixture = Json::read(fixture_path("seq2seq.json"));
  REQUIRE(fixture["models"].size() == 5);
  for (const Json& c : fixture["models"].items()) {
    Model model = model_of(c);
    INFO(describe(model.config()));
    std::vector<Ids> inputs, answers;
    for (const Ids& target : rows_of(c["targets"])) {
      inputs.push_back({kStart});
      inputs.back().insert(inputs.back().end(), target.begin(), target.end());
      answers.push_back(target);
      answers.back().push_back(kEnd);
    }
    Tape tape;
    watch(tape, model);
    const Encoded source = model.encode(rows_of(c["sources"]));
    const Tensor logits = model.logits(source, padded(inputs, kPadding, Order::by_time));
    REQUIRE(logits.shape() == Shape{3, 3, model.config().target_vocabulary});
    CHECK_THAT(logits.values(), close_to(c["logits"].numbers<double>(), kTorch));
    const Tensor loss = cross_entropy(logits, padded(answers, kIgnoredTarget, Order::by_time).ids);
    CHECK(is_close(static_cast<double>(loss.item()), c["loss"].number(), kTorch));
    tape.backward(loss);
    check_gradients(tape, model, c["gradients"]);
  }
}
