// SPDX-License-Identifier: MIT
// The order of gates, and the directions of a recurrent layer.
#include "lookback/nn/recurrent.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/nn/recurrent_layer.hpp"
#include "lookback/tensor/layout.hpp"

namespace lookback::nn {

namespace {

void check_order(std::string_view from, std::string_view to) {
  bool is_same = from.size() == to.size() && !to.empty();
  for (char gate : to) is_same = is_same && from.find(gate) != from.npos && to.find(gate) == to.rfind(gate);
  if (!is_same) throw ValueError(message("gate order '", from, "' must name each of the gates '", to, "' once"));
}

SequenceResult run_direction(const RecurrentLayer& layer, const RecurrentWeights& weights, const Tensor& x,
                             const RecurrentOptions& options, std::size_t direction, bool is_reversed) {
  const Tensor projection = weights.input.forward(x);
  const SequenceState first = options.first.empty() ? SequenceState{} : options.first[direction];
  const SequenceOptions sequence{is_reversed, options.lengths};
  return layer.reset
             ? gru_sequence(projection, weights.hidden.weight, weights.hidden.bias, first, *layer.reset, sequence)
             : lstm_sequence(projection, weights.hidden.weight, weights.hidden.bias, first, sequence);
}

}  // namespace

Tensor gates_in_order(const Tensor& weight, std::string_view from, std::string_view to) {
  check_order(from, to);
  const auto gates = static_cast<std::int64_t>(to.size());
  if (weight.rank() == 0 || weight.dim(-1) % gates != 0) {
    throw ShapeError(message("gates_in_order: ", gates, " gates do not divide the columns of ", weight.shape()));
  }
  const std::int64_t width = weight.dim(-1) / gates;
  TensorBuilder result(weight.shape());
  for (std::int64_t row = 0; row < weight.size(); row += gates * width) {
    for (std::int64_t gate = 0; gate < gates; ++gate) {
      const auto place = static_cast<std::int64_t>(from.find(to[static_cast<std::size_t>(gate)]));
      std::copy_n(weight.data() + row + place * width, width, result.data() + row + gate * width);
    }
  }
  return std::move(result).build();
}

RecurrentResult run_layer(const RecurrentLayer& layer, const Tensor& x, const RecurrentOptions& options) {
  const std::size_t directions = (layer.forward_weights ? 1u : 0u) + (layer.reverse_weights ? 1u : 0u);
  if (directions == 0) throw ValueError(message(layer.name(), ": needs the weights of one direction, or of both"));
  if (!options.first.empty() && options.first.size() != directions) {
    throw ValueError(
        message(layer.name(), ": ", options.first.size(), " first states for ", directions, " directions"));
  }
  std::vector<Tensor> outputs;
  RecurrentResult result;
  for (const bool is_reversed : {false, true}) {
    const std::optional<RecurrentWeights>& weights = is_reversed ? layer.reverse_weights : layer.forward_weights;
    if (!weights) continue;
    SequenceResult sequence = run_direction(layer, *weights, x, options, outputs.size(), is_reversed);
    outputs.push_back(std::move(sequence.output));
    result.last.push_back(std::move(sequence.last));
  }
  result.output = directions == 1 ? outputs[0] : concat(outputs, -1);
  return result;
}

}  // namespace lookback::nn
