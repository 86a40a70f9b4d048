// SPDX-License-Identifier: MIT
// Layers over [B, T, D].
#include "lookback/models/transformer/model.hpp"

#include <cmath>

#include "lookback/attention/position.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/seq2seq/config.hpp"
#include "lookback/nn/dropout.hpp"
#include "lookback/nn/initialise.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/reduce.hpp"

namespace lookback::models::transformer {

namespace {

nn::LayerNorm make_norm(std::int64_t width) {
  return {.weight = Tensor::full({width}, 1.0f), .bias = Tensor::zeros({width})};
}

attention::MultiHeadWeights make_attention(std::int64_t width, Random& random) {
  const auto map = [&] { return nn::make_linear(width, width, nn::Bias::with, random); };
  attention::MultiHeadWeights weights{.query = map(), .key = map(), .value = map()};
  weights.output = map();
  return weights;
}

void collect_attention(nn::Parameters& into, const std::string& name, attention::MultiHeadWeights& weights) {
  nn::collect(into, name + ".query", weights.query);
  nn::collect(into, name + ".key", weights.key);
  nn::collect(into, name + ".value", weights.value);
  nn::collect(into, name + ".output", *weights.output);
}

Tensor dropped(const Tensor& x, float rate, Random* random) { return random ? nn::dropout(x, rate, *random) : x; }

/// [T, B] -> [B, T]
Ids by_item(const PaddedIds& inputs) {
  Ids ids(inputs.ids.size());
  for (std::int64_t b = 0; b < inputs.batch; ++b) {
    for (std::int64_t t = 0; t < inputs.steps; ++t) {
      ids[static_cast<std::size_t>(b * inputs.steps + t)] = inputs.ids[static_cast<std::size_t>(t * inputs.batch + b)];
    }
  }
  return ids;
}

}  // namespace

Model::Model(const Config& config, Random& random) : config_(config) {
  config.check();
  // Scaled by sqrt(D) when read, rows of variance 1 / D are of the size of the positions.
  const float deviation = 1.0f / std::sqrt(static_cast<float>(config.width));
  source_embedding_ = {.table = nn::normal({config.source_vocabulary, config.width}, deviation, random)};
  target_embedding_ = {.table = nn::normal({config.target_vocabulary, config.width}, deviation, random)};
  for (std::int64_t l = 0; l < config.layers; ++l) encoder_.push_back(make_layer(false, random));
  for (std::int64_t l = 0; l < config.layers; ++l) decoder_.push_back(make_layer(true, random));
  encoder_norm_ = make_norm(config.width);
  decoder_norm_ = make_norm(config.width);
  output_ = nn::make_linear(config.width, config.target_vocabulary, nn::Bias::with, random);
}

Model::Layer Model::make_layer(bool is_decoder, Random& random) const {
  const std::int64_t d = config_.width;
  Layer layer{.self_norm = make_norm(d), .self = make_attention(d, random), .feed_norm = make_norm(d), .feed = {}};
  if (is_decoder) {
    layer.cross_norm = make_norm(d);
    layer.cross = make_attention(d, random);
  }
  layer.feed.up = nn::make_linear(d, config_.feed_forward, nn::Bias::with, random);
  layer.feed.down = nn::make_linear(config_.feed_forward, d, nn::Bias::with, random);
  return layer;
}

void Model::collect(nn::Parameters& into, const std::string& name, Layer& layer) {
  nn::collect(into, name + ".self_norm", layer.self_norm);
  collect_attention(into, name + ".self", layer.self);
  if (layer.cross) {
    nn::collect(into, name + ".cross_norm", *layer.cross_norm);
    collect_attention(into, name + ".cross", *layer.cross);
  }
  nn::collect(into, name + ".feed_norm", layer.feed_norm);
  nn::collect(into, name + ".feed", layer.feed);
}

nn::Parameters Model::parameters() {
  nn::Parameters result;
  nn::collect(result, "source_embedding", source_embedding_);
  nn::collect(result, "target_embedding", target_embedding_);
  for (std::size_t l = 0; l < encoder_.size(); ++l) collect(result, message("encoder.", l), encoder_[l]);
  for (std::size_t l = 0; l < decoder_.size(); ++l) collect(result, message("decoder.", l), decoder_[l]);
  nn::collect(result, "encoder.norm", encoder_norm_);
  nn::collect(result, "decoder.norm", decoder_norm_);
  nn::collect(result, "output", output_);
  return result;
}

Tensor Model::embed(const nn::Embedding& table, const Ids& ids, std::int64_t batch, std::int64_t steps,
                    Random* random) const {
  const std::int64_t d = config_.width;
  const Tensor tokens = scale(table.forward(ids), std::sqrt(static_cast<float>(d))).reshape({batch, steps, d});
  return dropped(add(tokens, attention::sinusoidal(steps, d)), config_.dropout, random);
}

Tensor Model::run_layer(const Layer& layer, Tensor x, const Encoded* source, const attention::PositionRule& self_rule,
                        Random* random, Tensor* weights) const {
  const auto added = [&](const Tensor& change) { return add(x, dropped(change, config_.dropout, random)); };
  attention::MultiHeadOptions options{.heads = config_.heads};
  options.attention.capture = false;
  options.attention.positions = self_rule;
  const Tensor own = layer.self_norm.forward(x);
  x = added(attention::multi_head(own, own, layer.self, options).output);
  if (layer.cross) {
    options.attention.positions = {.valid_lengths = source->lengths};
    options.attention.capture = weights != nullptr;
    const auto read = attention::multi_head(layer.cross_norm->forward(x), source->memory, *layer.cross, options);
    x = added(read.output);
    if (weights) *weights = mean(read.heads.weights, 1);
  }
  return added(layer.feed.forward(layer.feed_norm.forward(x)));
}

Encoded Model::encode(const std::vector<Ids>& sources, Random* random) const {
  const PaddedIds rows = seq2seq::padded(sources, seq2seq::kPadding, seq2seq::Order::by_item);
  Encoded result{.lengths = rows.lengths,
                 .embedded = embed(source_embedding_, rows.ids, rows.batch, rows.steps, random),
                 .memory = {}};
  Tensor x = result.embedded;
  for (const Layer& layer : encoder_) {
    x = run_layer(layer, x, nullptr, {.valid_lengths = rows.lengths}, random, nullptr);
  }
  result.memory = encoder_norm_.forward(x);
  return result;
}

Tensor Model::logits(const Encoded& source, const PaddedIds& inputs, Random* random, Tensor* weights) const {
  const auto sources = static_cast<std::int64_t>(source.lengths.size());
  if (inputs.batch != sources || inputs.steps < 1) {
    throw ShapeError(message("transformer: inputs of ", inputs.batch, " items and ", inputs.steps, " steps for ",
                             sources, " sources"));
  }
  Tensor x = embed(target_embedding_, by_item(inputs), inputs.batch, inputs.steps, random);
  for (const Layer& layer : decoder_) {
    const bool is_last = &layer == &decoder_.back();
    x = run_layer(layer, x, &source, {.causal = attention::Causal::bottom_right}, random, is_last ? weights : nullptr);
  }
  return transpose(output_.forward(decoder_norm_.forward(x)), 0, 1);
}

}  // namespace lookback::models::transformer
