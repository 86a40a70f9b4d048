// SPDX-License-Identifier: MIT
// Names of the layers' parts.
#include "lookback/nn/parameters.hpp"

namespace lookback::nn {

namespace {

template <typename Layer>
void collect_directions(Parameters& into, const std::string& name, Layer& layer) {
  if (layer.forward_weights) collect(into, name + ".forward", *layer.forward_weights);
  if (layer.reverse_weights) collect(into, name + ".reverse", *layer.reverse_weights);
}

}  // namespace

void collect(Parameters& into, const std::string& name, Tensor& x) { into.push_back({name, &x}); }

void collect(Parameters& into, const std::string& name, std::optional<Tensor>& x) {
  if (x) into.push_back({name, &*x});
}

void collect(Parameters& into, const std::string& name, Linear& layer) {
  collect(into, name + ".weight", layer.weight);
  collect(into, name + ".bias", layer.bias);
}

void collect(Parameters& into, const std::string& name, Embedding& layer) {
  collect(into, name + ".table", layer.table);
}

void collect(Parameters& into, const std::string& name, LayerNorm& layer) {
  collect(into, name + ".weight", layer.weight);
  collect(into, name + ".bias", layer.bias);
}

void collect(Parameters& into, const std::string& name, RmsNorm& layer) {
  collect(into, name + ".weight", layer.weight);
}

void collect(Parameters& into, const std::string& name, FeedForward& layer) {
  collect(into, name + ".up", layer.up);
  collect(into, name + ".down", layer.down);
  if (layer.gate) collect(into, name + ".gate", *layer.gate);
}

void collect(Parameters& into, const std::string& name, RecurrentWeights& layer) {
  collect(into, name + ".input", layer.input);
  collect(into, name + ".hidden", layer.hidden);
}

void collect(Parameters& into, const std::string& name, Lstm& layer) { collect_directions(into, name, layer); }
void collect(Parameters& into, const std::string& name, Gru& layer) { collect_directions(into, name, layer); }

std::int64_t count(const Parameters& parameters) {
  std::int64_t sum = 0;
  for (const Parameter& parameter : parameters) sum += parameter.tensor->size();
  return sum;
}

}  // namespace lookback::nn
