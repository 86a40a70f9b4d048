// SPDX-License-Identifier: MIT
// The blocks of a Llama-shaped decoder, put together from ops that a tape knows.
#include "lookback/models/language_model/model.hpp"

#include <cmath>
#include <numeric>

#include "lookback/attention/causal.hpp"
#include "lookback/attention/position.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/nn/dropout.hpp"
#include "lookback/nn/initialise.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"

namespace lookback::models::language_model {

namespace {

constexpr float kDeviation = 0.02f;

nn::Linear linear(std::int64_t in, std::int64_t out, float deviation, Random& random) {
  return {.weight = nn::normal({in, out}, deviation, random)};
}

}  // namespace

Model::Model(const Config& config, Random& random) : config_(config) {
  config.check();
  embedding_ = nn::normal({config.vocabulary, config.width}, kDeviation, random);
  for (std::int64_t i = 0; i < config.layers; ++i) blocks_.push_back(make_block(random));
  output_norm_ = {Tensor::full({config.width}, 1.0f), config.norm_epsilon};
}

Model::Block Model::make_block(Random& random) const {
  const std::int64_t d = config_.width, f = config_.feed_forward, kv = config_.kv_heads * config_.head_dim();
  const float last = kDeviation / std::sqrt(2.0f * static_cast<float>(config_.layers));
  const nn::RmsNorm norm{Tensor::full({d}, 1.0f), config_.norm_epsilon};
  Block block{.attention_norm = norm,
              .query = linear(d, d, kDeviation, random),
              .key = linear(d, kv, kDeviation, random),
              .value = linear(d, kv, kDeviation, random),
              .output = linear(d, d, last, random),
              .feed_forward_norm = {Tensor::full({d}, 1.0f), config_.norm_epsilon},
              .feed_forward = {.up = linear(d, f, kDeviation, random), .down = linear(f, d, last, random)}};
  block.feed_forward.gate = linear(d, f, kDeviation, random);
  block.feed_forward.activation = nn::Activation::swish;
  return block;
}

nn::Parameters Model::parameters() {
  nn::Parameters result;
  nn::collect(result, "token_embd.weight", embedding_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto add = [&](const char* name, auto& part) { nn::collect(result, message("blk.", i, ".", name), part); };
    Block& block = blocks_[i];
    add("attn_norm", block.attention_norm);
    add("attn_q", block.query);
    add("attn_k", block.key);
    add("attn_v", block.value);
    add("attn_output", block.output);
    add("ffn_norm", block.feed_forward_norm);
    add("ffn_gate", *block.feed_forward.gate);
    add("ffn_up", block.feed_forward.up);
    add("ffn_down", block.feed_forward.down);
  }
  nn::collect(result, "output_norm", output_norm_);
  return result;
}

Tensor Model::dropped(const Tensor& x, Random* random) const {
  return random ? nn::dropout(x, config_.dropout, *random) : x;
}

/// x [B, T, D], the normed residual.
Tensor Model::attend(const Block& block, const Tensor& x) const {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(x.dim(1)));
  std::iota(positions.begin(), positions.end(), 0);
  const auto turned = [&](const nn::Linear& layer, std::int64_t heads) {
    return attention::rotary(split_heads(layer.forward(x), heads), positions, {.base = config_.rotary_base});
  };
  const Tensor query = turned(block.query, config_.heads), key = turned(block.key, config_.kv_heads);
  const Tensor value = split_heads(block.value.forward(x), config_.kv_heads);
  return block.output.forward(merge_heads(attention::causal_attention(query, key, value)));
}

Tensor Model::logits(const Ids& ids, std::int64_t batch, Random* random) const {
  const auto count = static_cast<std::int64_t>(ids.size());
  if (batch < 1 || count % batch != 0 || count == 0 || count / batch > config_.context) {
    throw ShapeError(message("language_model: ", count, " ids for ", batch, " sequences of 1 to ", config_.context));
  }
  Tensor x = dropped(gather_rows(embedding_, ids).reshape({batch, count / batch, config_.width}), random);
  for (const Block& block : blocks_) {
    x = add(x, dropped(attend(block, block.attention_norm.forward(x)), random));
    x = add(x, dropped(block.feed_forward.forward(block.feed_forward_norm.forward(x)), random));
  }
  return matmul(output_norm_.forward(x), embedding_, {.transpose_a = false, .transpose_b = true});
}

}  // namespace lookback::models::language_model
