// SPDX-License-Identifier: MIT
// Names and order of what layers have learned.
#include "lookback/nn/parameters.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lookback/core/random.hpp"
#include "lookback/nn/initialise.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

namespace {

std::vector<std::string> names_of(const nn::Parameters& parameters) {
  std::vector<std::string> names;
  for (const nn::Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

template <typename Layer>
std::vector<std::string> names_of_layer(Layer& layer) {
  nn::Parameters parameters;
  nn::collect(parameters, "a", layer);
  return names_of(parameters);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("parameters: every layer's parts by name, absent ones left out", "[nn]") {
  Random random(1);
  nn::Linear linear = nn::make_linear(2, 3, nn::Bias::with, random);
  nn::Linear without = nn::make_linear(2, 3, nn::Bias::none, random);
  nn::Embedding embedding = nn::make_embedding(4, 2, random);
  nn::LayerNorm layer_norm{.weight = Tensor::zeros({2}), .bias = Tensor::zeros({2})};
  nn::RmsNorm rms_norm{.weight = Tensor::zeros({2})};
  nn::FeedForward feed_forward{.up = linear, .down = without};
  nn::RecurrentWeights recurrent = nn::make_recurrent(2, 3, 4, random);
  CHECK(names_of_layer(linear) == Names{"a.weight", "a.bias"});
  CHECK(names_of_layer(without) == Names{"a.weight"});
  CHECK(names_of_layer(embedding) == Names{"a.table"});
  CHECK(names_of_layer(layer_norm) == Names{"a.weight", "a.bias"});
  CHECK(names_of_layer(rms_norm) == Names{"a.weight"});
  CHECK(names_of_layer(feed_forward) == Names{"a.up.weight", "a.up.bias", "a.down.weight"});
  feed_forward.gate = without;
  CHECK(names_of_layer(feed_forward) == Names{"a.up.weight", "a.up.bias", "a.down.weight", "a.gate.weight"});
  const Names one = {"a.input.weight", "a.input.bias", "a.hidden.weight", "a.hidden.bias"};
  CHECK(names_of_layer(recurrent) == one);
}

TEST_CASE("parameters: recurrent layers name their directions", "[nn]") {
  Random random(1);
  const Names both = {"a.forward.input.weight",  "a.forward.input.bias",   "a.forward.hidden.weight",
                      "a.forward.hidden.bias",   "a.reverse.input.weight", "a.reverse.input.bias",
                      "a.reverse.hidden.weight", "a.reverse.hidden.bias"};
  nn::Lstm lstm{nn::make_recurrent(2, 3, 4, random), nn::make_recurrent(2, 3, 4, random)};
  CHECK(names_of_layer(lstm) == both);
  nn::Gru gru;
  CHECK(names_of_layer(gru).empty());
  gru.reverse_weights = nn::make_recurrent(2, 3, 3, random);
  CHECK(names_of_layer(gru) == Names(both.begin() + 4, both.end()));
}

TEST_CASE("parameters: they are the layer's own tensors, and counted", "[nn]") {
  Random random(1);
  nn::Linear layer = nn::make_linear(2, 3, nn::Bias::with, random);
  nn::Parameters parameters;
  nn::collect(parameters, "layer", layer);
  CHECK(nn::count(parameters) == 9);
  CHECK(nn::count({}) == 0);
  *parameters[1].tensor = Tensor::vector({7, 8, 9});
  CHECK_THAT(layer.forward(Tensor::zeros({2})), close_to(Tensor::vector({7, 8, 9}), kExact));
  std::optional<Tensor> absent;
  nn::collect(parameters, "absent", absent);
  CHECK(parameters.size() == 2);
}
