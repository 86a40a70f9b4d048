// SPDX-License-Identifier: MIT
// Gradients of LSTM and GRU layers on a tape: of input, every weight and first states; through outputs and last states.
#include <catch2/catch_test_macros.hpp>

#include "lookback/kernels/reference/recurrent.hpp"
#include "lookback/nn/gru.hpp"
#include "lookback/nn/lstm.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/gradient_check.hpp"

using namespace lookback;
using namespace lookback::test;
namespace reference = lookback::kernels::reference;

namespace {

constexpr std::int64_t kBatch = 3, kSteps = 4, kInput = 3, kWidth = 5;
const std::vector<std::int64_t> kLengths = {4, 2, 0};

/// Operands: x, W, R, b, c, first hidden and, of an LSTM, first cell.
std::vector<Tensor> operands(std::int64_t gates) {
  std::vector<Tensor> result = {random_tensor({kBatch, kSteps, kInput}, 1), random_tensor({kInput, gates * kWidth}, 2),
                                random_tensor({kWidth, gates * kWidth}, 3), random_tensor({gates * kWidth}, 4),
                                random_tensor({gates * kWidth}, 5),         random_tensor({kBatch, kWidth}, 6)};
  if (gates == 4) result.push_back(random_tensor({kBatch, kWidth}, 7));
  return result;
}

nn::RecurrentWeights weights(const std::vector<Tensor>& x) { return {{x[1], x[3]}, {x[2], x[4]}}; }

nn::RecurrentOptions options(const std::vector<Tensor>& x) {
  const std::optional<Tensor> cell = x.size() > 6 ? std::optional(x[6]) : std::nullopt;
  return {.lengths = kLengths, .first = {{x[5], cell}}};
}

/// Output, last hidden state and last cell, one after another.
Tensor joined(const nn::RecurrentResult& result) {
  std::vector<Tensor> parts = {result.output.reshape({result.output.size()})};
  const SequenceState& last = result.last.front();
  parts.push_back(last.hidden->reshape({last.hidden->size()}));
  if (last.cell) parts.push_back(last.cell->reshape({last.cell->size()}));
  return concat(parts, 0);
}

/// The same by definition; step(weights, x_t, hidden, cell).
template <typename Step>
auto by_definition(Step step, bool is_reversed) {
  return [step, is_reversed]<typename Number>(const Flat<Number>& x) {
    const reference::RecurrentWeights<Number> w{x[1], x[2], x[3], x[4]};
    std::vector<Number> output, hiddens, cells;
    for (std::size_t item = 0; item < kBatch; ++item) {
      const std::vector<Number> cell = x.size() > 6 ? reference::row_at(x[6], item, kWidth) : std::vector<Number>{};
      const auto result = reference::run_recurrent([&](const auto& row, auto& h, auto& c) { step(w, row, h, c); },
                                                   reference::row_at(x[0], item, kSteps * kInput), kSteps,
                                                   static_cast<std::size_t>(kLengths[item]), is_reversed,
                                                   reference::row_at(x[5], item, kWidth), cell);
      output.insert(output.end(), result.output.begin(), result.output.end());
      hiddens.insert(hiddens.end(), result.hidden.begin(), result.hidden.end());
      cells.insert(cells.end(), result.cell.begin(), result.cell.end());
    }
    output.insert(output.end(), hiddens.begin(), hiddens.end());
    output.insert(output.end(), cells.begin(), cells.end());
    return output;
  };
}

}  // namespace

TEST_CASE("lstm: gradients of everything that goes in, both directions, true lengths", "[nn][gradient]") {
  for (bool is_reversed : {false, true}) {
    const auto op = [&](const auto& x) {
      nn::Lstm layer;
      (is_reversed ? layer.reverse_weights : layer.forward_weights) = weights(x);
      return joined(layer.forward(x[0], options(x)));
    };
    const auto step = [](const auto& w, const auto& x, auto& h, auto& c) { reference::lstm_step(w, x, h, c); };
    CHECK(gradient_mismatch(op, by_definition(step, is_reversed), operands(4)) == "");
  }
}

TEST_CASE("gru: gradients of everything that goes in, both directions and resets", "[nn][gradient]") {
  for (bool is_reversed : {false, true}) {
    for (nn::GruReset reset : {nn::GruReset::before, nn::GruReset::after}) {
      const auto op = [&](const auto& x) {
        nn::Gru layer{.reset = reset};
        (is_reversed ? layer.reverse_weights : layer.forward_weights) = weights(x);
        return joined(layer.forward(x[0], options(x)));
      };
      const bool is_before = reset == nn::GruReset::before;
      const auto step = [is_before](const auto& w, const auto& x, auto& h, auto&) {
        reference::gru_step(w, is_before, x, h);
      };
      CHECK(gradient_mismatch(op, by_definition(step, is_reversed), operands(3)) == "");
    }
  }
}

TEST_CASE("lstm: a projection that is used twice gets the sum", "[nn][gradient]") {
  Tensor projection = random_tensor({1, 2, 8}, 1);
  const Tensor hidden_weight = random_tensor({2, 8}, 2);
  const auto gradient = [&](int uses) {
    Tape tape;
    tape.watch(projection);
    std::vector<Tensor> outputs;
    for (int i = 0; i < uses; ++i) outputs.push_back(lstm_sequence(projection, hidden_weight, {}, {}).output);
    const Tensor all = concat(outputs, 0);
    tape.backward(all, Tensor::full(all.shape(), 1.0f));
    return to_doubles(tape.gradient(projection).values());
  };
  std::vector<double> doubled = gradient(1);
  for (double& value : doubled) value *= 2.0;
  CHECK(mismatch(gradient(2), doubled, kExact) == "");
}
