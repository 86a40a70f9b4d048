// SPDX-License-Identifier: MIT
// The learned numbers of a model by name: what a tape watches, an optimiser changes and a file keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lookback/nn/embedding.hpp"
#include "lookback/nn/feed_forward.hpp"
#include "lookback/nn/gru.hpp"
#include "lookback/nn/linear.hpp"
#include "lookback/nn/lstm.hpp"
#include "lookback/nn/norm.hpp"

namespace lookback::nn {

/// A tensor of a model that outlives this.
struct Parameter {
  std::string name;  ///< "encoder.forward.input.weight"
  Tensor* tensor;
};
using Parameters = std::vector<Parameter>;

/// Appends what the layer has learned, in a fixed order, with names that begin with `name`. Absent parts add nothing.
void collect(Parameters& into, const std::string& name, Tensor& x);
void collect(Parameters& into, const std::string& name, std::optional<Tensor>& x);
void collect(Parameters& into, const std::string& name, Linear& layer);
void collect(Parameters& into, const std::string& name, Embedding& layer);
void collect(Parameters& into, const std::string& name, LayerNorm& layer);
void collect(Parameters& into, const std::string& name, RmsNorm& layer);
void collect(Parameters& into, const std::string& name, FeedForward& layer);
void collect(Parameters& into, const std::string& name, RecurrentWeights& layer);
void collect(Parameters& into, const std::string& name, Lstm& layer);
void collect(Parameters& into, const std::string& name, Gru& layer);

/// How many numbers they are.
std::int64_t count(const Parameters& parameters);

}  // namespace lookback::nn
