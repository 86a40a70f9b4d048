// SPDX-License-Identifier: MIT
// LSTM and GRU layers.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "lookback/nn/gru.hpp"
#include "lookback/nn/lstm.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/json.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::nn;
using namespace lookback::test;

namespace {

/// One-unit weights whose states were worked out by hand for every order of gates.
RecurrentWeights hand_weights(std::string_view order) {
  const auto gates = [&](const Tensor& weight) { return gates_in_order(weight, order, "ifgo"); };
  return {{gates(Tensor::matrix({{0.1f, -0.2f, 0.3f, -0.4f}})), gates(Tensor::vector({0.01f, 0.02f, 0.03f, 0.04f}))},
          {gates(Tensor::matrix({{0.5f, 0.6f, -0.7f, 0.8f}})), gates(Tensor::vector({0.05f, -0.06f, 0.07f, -0.08f}))}};
}

const SequenceState kHandState{Tensor({1, 1}, {0.5f}), Tensor({1, 1}, {0.25f})};

std::vector<float> hand_step(std::string_view order, const SequenceState& first = kHandState) {
  const Lstm lstm{hand_weights(order), {}};
  const RecurrentResult result = lstm.forward(Tensor({1, 1, 1}, {1}), {{}, {first}});
  return {result.last[0].hidden->item(), result.last[0].cell->item()};
}

RecurrentWeights random_weights(std::int64_t input, std::int64_t width, std::int64_t gates, std::uint64_t seed) {
  return {{random_tensor({input, gates * width}, seed), random_tensor({gates * width}, seed + 1)},
          {random_tensor({width, gates * width}, seed + 2), random_tensor({gates * width}, seed + 3)}};
}

/// x with its steps in the opposite order.
Tensor backwards(const Tensor& x) {
  std::vector<float> numbers;
  const std::int64_t width = x.dim(2);
  for (std::int64_t item = 0; item < x.dim(0); ++item) {
    for (std::int64_t t = x.dim(1) - 1; t >= 0; --t) {
      const float* row = x.data() + (item * x.dim(1) + t) * width;
      numbers.insert(numbers.end(), row, row + width);
    }
  }
  return Tensor(x.shape(), numbers);
}

}  // namespace

TEST_CASE("lstm: the order of gates has a name, and matters", "[nn][recurrent]") {
  CHECK_THAT(hand_step("ifgo"), close_to({0.07715427, 0.15877825}));
  CHECK_THAT(hand_step("iofg"), close_to({0.05341497, 0.10409365}));
  CHECK_THAT(hand_step("igfo"), close_to({0.07971727, 0.16414641}));
  CHECK_THAT(hand_step("figo"), close_to({0.08536082, 0.17600031}));
}

TEST_CASE("lstm: both biases count, once each", "[nn][recurrent]") {
  RecurrentWeights weights = hand_weights("ifgo");
  weights.hidden.bias.reset();
  const RecurrentResult result = Lstm{weights, {}}.forward(Tensor({1, 1, 1}, {1}), {{}, {kHandState}});
  CHECK_THAT(std::vector{result.last[0].hidden->item()}, close_to({0.06126556}));
  CHECK_THAT(std::vector{result.last[0].cell->item()}, close_to({0.12071177}));
}

TEST_CASE("lstm: the first state counts, and nothing is kept between calls", "[nn][recurrent]") {
  const std::vector<float> first = hand_step("ifgo");
  CHECK_THAT(std::vector{hand_step("ifgo", {Tensor({1, 1}, {0.0f}), kHandState.cell})[0]}, close_to({0.11954795}));
  CHECK_THAT(std::vector{hand_step("ifgo", {{}, kHandState.cell})[0]}, close_to({0.11954795}));
  CHECK_THAT(hand_step("ifgo"), close_to(first, kExact));
}

TEST_CASE("lstm: a sequence is its steps, one call each", "[nn][recurrent]") {
  const Lstm lstm{random_weights(3, 5, 4, 1), {}};
  const Tensor x = random_tensor({2, 4, 3}, 9);
  const RecurrentResult whole = lstm.forward(x);
  RecurrentOptions state;
  for (std::int64_t t = 0; t < 4; ++t) {
    const RecurrentResult step = lstm.forward(slice(x, 1, t, t + 1), state);
    CHECK_THAT(step.output, close_to(slice(whole.output, 1, t, t + 1)));
    state.first = step.last;
  }
  CHECK_THAT(*state.first[0].hidden, close_to(*whole.last[0].hidden));
  CHECK_THAT(*state.first[0].cell, close_to(*whole.last[0].cell));
}

TEST_CASE("gru: the reverse direction is the forward one on the sequence turned round", "[nn][recurrent]") {
  const RecurrentWeights weights = random_weights(2, 3, 3, 5);
  const Tensor x = random_tensor({2, 4, 2}, 6);
  for (const GruReset reset : {GruReset::before, GruReset::after}) {
    const RecurrentResult reverse = Gru{reset, {}, weights}.forward(x);
    const RecurrentResult forward = Gru{reset, weights, {}}.forward(backwards(x));
    CHECK_THAT(reverse.output, close_to(backwards(forward.output), kExact));
    CHECK_THAT(*reverse.last[0].hidden, close_to(*forward.last[0].hidden, kExact));
    CHECK_FALSE(reverse.last[0].cell.has_value());
  }
}

TEST_CASE("gru: lengths from 0 on; a batch's items do not touch each other", "[nn][recurrent]") {
  const Gru gru{GruReset::after, random_weights(2, 3, 3, 7), random_weights(2, 3, 3, 8)};
  const Tensor x = random_tensor({3, 2, 2}, 9);
  const Tensor first = Tensor::full({3, 3}, 0.3f);
  const RecurrentResult all = gru.forward(x, {{2, 0, 1}, {{first, {}}, {first, {}}}});
  for (std::int64_t item : {0, 2}) {
    const std::int64_t length = item == 0 ? 2 : 1;
    const Tensor own = slice(slice(x, 0, item, item + 1), 1, 0, length);
    const Tensor start = Tensor::full({1, 3}, 0.3f);
    const RecurrentResult one = gru.forward(own, {{}, {{start, {}}, {start, {}}}});
    CHECK_THAT(slice(slice(all.output, 0, item, item + 1), 1, 0, length), close_to(one.output));
    for (std::size_t d = 0; d < 2; ++d) {
      CHECK_THAT(slice(*all.last[d].hidden, 0, item, item + 1), close_to(*one.last[d].hidden));
    }
  }
  CHECK_THAT(slice(all.output, 0, 1, 2), close_to(Tensor::zeros({1, 2, 6}), kExact));
  CHECK_THAT(slice(*all.last[0].hidden, 0, 1, 2), close_to(Tensor::full({1, 3}, 0.3f), kExact));
  CHECK_THAT(slice(*all.last[1].hidden, 0, 1, 2), close_to(Tensor::full({1, 3}, 0.3f), kExact));
}

TEST_CASE("recurrent: sequences without steps, batches without items", "[nn][recurrent]") {
  const Lstm lstm{random_weights(2, 3, 4, 1), random_weights(2, 3, 4, 2)};
  const RecurrentResult no_steps = lstm.forward(Tensor::zeros({2, 0, 2}));
  CHECK(no_steps.output.shape() == Shape{2, 0, 6});
  CHECK_THAT(*no_steps.last[1].cell, close_to(Tensor::zeros({2, 3}), kExact));
  const RecurrentResult no_items = lstm.forward(Tensor::zeros({0, 4, 2}));
  CHECK(no_items.output.shape() == Shape{0, 4, 6});
  CHECK(no_items.last[0].hidden->shape() == Shape{0, 3});
}

TEST_CASE("recurrent: two directions with true lengths are PyTorch's packed sequences", "[nn][recurrent]") {
  const Json cases = Json::read(fixture_path("recurrent.json"));
  for (const Json& c : cases.items()) {
    const auto extent = [&](const char* name) { return static_cast<std::int64_t>(c[name].number()); };
    const std::int64_t columns = extent("width") * (c["cell"].text() == "lstm" ? 4 : 3);
    RecurrentOptions options{c["lengths"].numbers<std::int64_t>(), {}};
    std::vector<RecurrentWeights> weights;
    for (const Json& w : c["weights"].items()) {
      const auto tensor = [&](const char* name, Shape shape) {
        return Tensor(std::move(shape), w[name].numbers<float>());
      };
      weights.push_back({{tensor("W", {extent("input"), columns}), tensor("bW", {columns})},
                         {tensor("R", {extent("width"), columns}), tensor("bR", {columns})}});
      options.first.push_back({tensor("hidden", {extent("batch"), extent("width")}), {}});
      if (columns == 4 * extent("width"))
        options.first.back().cell = tensor("cell", {extent("batch"), extent("width")});
    }
    const Tensor x({extent("batch"), extent("steps"), extent("input")}, c["x"].numbers<float>());
    const std::optional<RecurrentWeights> reverse =
        weights.size() == 2 ? std::optional(weights[1]) : std::optional<RecurrentWeights>();
    const RecurrentResult result = c["cell"].text() == "lstm"
                                       ? Lstm{weights[0], reverse}.forward(x, options)
                                       : Gru{GruReset::after, weights[0], reverse}.forward(x, options);
    CHECK_THAT(result.output.values(), close_to(c["results"]["output"].numbers<double>()));
  }
}

TEST_CASE("recurrent: bad input is refused by name, rule and shapes", "[nn][recurrent]") {
  const Lstm lstm{random_weights(2, 3, 4, 1), {}};
  const Gru gru{GruReset::after, random_weights(2, 3, 3, 1), {}};
  const Tensor x = random_tensor({2, 4, 2}, 3);
  const auto with_lengths = [&](std::vector<std::int64_t> lengths) {
    return error_of([&] { return lstm.forward(x, {std::move(lengths), {}}); });
  };
  CHECK(with_lengths({1}) == "shape: lstm: 1 lengths for a batch of 2");
  CHECK(with_lengths({4, 5}) == "range: lstm: length 5 is not from 0 to 4");
  CHECK(with_lengths({-1, 4}) == "range: lstm: length -1 is not from 0 to 4");
  CHECK(error_of([&] { return Lstm{}.forward(x); }) == "value: lstm: needs the weights of one direction, or of both");
  CHECK(error_of([&] {
          return lstm.forward(random_tensor({4, 2}, 1));
        }) == "shape: lstm: projection [4, 12] is not [B, T, 4 N]");
  CHECK(error_of([&] {
          return lstm.forward(random_tensor({2, 4, 5}, 1));
        }) == "shape: linear: x [2, 4, 5] does not fit weight [in, out] [2, 12]");
  CHECK(error_of([&] {
          return lstm.forward(x, {{}, {{Tensor::zeros({1, 3}), {}}}});
        }) == "shape: lstm: first hidden state has shape [1, 3], needs [2, 3]");
  CHECK(error_of([&] { return lstm.forward(x, {{}, {{}, {}}}); }) == "value: lstm: 2 first states for 1 directions");
  CHECK(error_of([&] {
          return gru.forward(x, {{}, {{{}, Tensor::zeros({2, 3})}}});
        }) == "value: gru: its state has no cell");
  const Lstm crossed{RecurrentWeights{random_weights(2, 3, 4, 1).input, random_weights(2, 3, 3, 1).hidden}, {}};
  CHECK(error_of([&] { return crossed.forward(x); }) == "shape: lstm: hidden weight has shape [3, 9], needs [3, 12]");
  CHECK(error_of([] { return gates_in_order(Tensor::zeros({4}), "ifgg", "ifgo"); }) ==
        "value: gate order 'ifgg' must name each of the gates 'ifgo' once");
  CHECK(error_of([] { return gates_in_order(Tensor::zeros({4}), "rzn", "ifgo"); }) ==
        "value: gate order 'rzn' must name each of the gates 'ifgo' once");
  CHECK(error_of([] {
          return gates_in_order(Tensor::zeros({2, 5}), "zrn", "rzn");
        }) == "shape: gates_in_order: 3 gates do not divide the columns of [2, 5]");
}
