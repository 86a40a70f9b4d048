// SPDX-License-Identifier: MIT
// The Transformer against PyTorch: values and all gradients of fixtures/transformer.json, which transformer.py writes.
#include <catch2/catch_test_macros.hpp>

#include "lookback/models/seq2seq/config.hpp"
#include "lookback/models/transformer/model.hpp"
#include "lookback/tensor/cross_entropy.hpp"
#include "lookback/tensor/tape.hpp"
#include "support/files.hpp"
#include "support/json.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::models::transformer;
using namespace lookback::test;
using models::seq2seq::kEnd;
using models::seq2seq::kPadding;
using models::seq2seq::kStart;
using models::seq2seq::Order;
using models::seq2seq::padded;

namespace {

/// PyTorch computed in double; gradients here pass through four layers.
constexpr Tolerance kTorch{1e-5, 1e-5};

std::int64_t integer(const Json& value) { return static_cast<std::int64_t>(value.number()); }

Model model_of(const Json& c) {
  Random random(1);
  Model model({.source_vocabulary = integer(c["source_vocabulary"]),
               .target_vocabulary = integer(c["target_vocabulary"]),
               .width = integer(c["width"]),
               .heads = integer(c["heads"]),
               .feed_forward = integer(c["feed_forward"]),
               .layers = integer(c["layers"])},
              random);
  for (const nn::Parameter& parameter : model.parameters()) {
    INFO(parameter.name);
    *parameter.tensor = Tensor(parameter.tensor->shape(), c["parameters"][parameter.name].numbers<float>());
  }
  return model;
}

std::vector<Ids> rows_of(const Json& rows) {
  std::vector<Ids> result;
  for (const Json& row : rows.items()) result.push_back(row.numbers<std::int64_t>());
  return result;
}

}  // namespace

TEST_CASE("transformer: logits, weights, loss and every gradient are PyTorch's", "[models][transformer][gradient]") {
  const Json c = Json::read(fixture_path("transformer.json"));
  Model model = model_of(c);
  std::vector<Ids> inputs, answers;
  for (const Ids& target : rows_of(c["targets"])) {
    inputs.push_back({kStart});
    inputs.back().insert(inputs.back().end(), target.begin(), target.end());
    answers.push_back(target);
    answers.back().push_back(kEnd);
  }
  const PaddedIds fed = padded(inputs, kPadding, Order::by_time);
  Tensor weights;
  model.logits(model.encode(rows_of(c["sources"])), fed, nullptr, &weights);
  CHECK_THAT(weights.values(), close_to(c["weights"].numbers<double>(), kTorch));

  Tape tape;
  for (const nn::Parameter& parameter : model.parameters()) tape.watch(*parameter.tensor);
  const Tensor logits = model.forced(rows_of(c["sources"]), fed, nullptr).logits;
  REQUIRE(logits.shape() == Shape{3, 3, 7});
  CHECK_THAT(logits.values(), close_to(c["logits"].numbers<double>(), kTorch));
  const Tensor loss = cross_entropy(logits, padded(answers, kIgnoredTarget, Order::by_time).ids);
  CHECK(is_close(static_cast<double>(loss.item()), c["loss"].number(), kTorch));
  tape.backward(loss);
  for (const nn::Parameter& parameter : model.parameters()) {
    INFO(parameter.name);
    CHECK_THAT(tape.gradient(*parameter.tensor).values(),
               close_to(c["gradients"]["d_" + parameter.name].numbers<double>(), kTorch));
  }
}
