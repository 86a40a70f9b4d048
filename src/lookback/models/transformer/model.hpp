// SPDX-License-Identifier: MIT
// The encoder-decoder Transformer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookback/attention/multi_head.hpp"
#include "lookback/core/random.hpp"
#include "lookback/models/seq2seq/encoder_decoder.hpp"
#include "lookback/models/transformer/config.hpp"
#include "lookback/nn/parameters.hpp"

namespace lookback::models::transformer {

using seq2seq::Ids;
using seq2seq::PaddedIds;

/// What the decoder knows of a batch of sources.
struct Encoded {
  std::vector<std::int64_t> lengths;  ///< [B]
  Tensor embedded;                    ///< [B, S, D], tokens and positions: what the encoder read
  Tensor memory;                      ///< [B, S, D]
};

/// x + sublayer(norm(x)) around self-attention, cross-attention (decoder) and the feed-forward network, a last norm,
/// and a linear map to logits. Token embeddings are scaled by sqrt(D), positions are sinusoids. The norm stands before
/// its sublayer, where training needs no warm-up: Xiong et al., "On layer normalization in the Transformer
/// architecture", 2020. Vaswani et al., "Attention Is All You Need", 2017, for the rest.
class Model : public seq2seq::EncoderDecoder {
 public:
  /// Random weights. Throws ValueError for a bad config.
  Model(const Config& config, Random& random);

  const Config& config() const { return config_; }
  std::unique_ptr<EncoderDecoder> clone() const override { return std::make_unique<Model>(*this); }
  std::string description() const override;
  std::int64_t target_vocabulary() const override { return config_.target_vocabulary; }
  nn::Parameters parameters() override;
  Forced forced(const std::vector<Ids>& sources, const PaddedIds& inputs, Random* random) const override;
  std::vector<std::vector<float>> align(const Ids& source, const PaddedIds& inputs) const override;
  bool reads_from_the_end() const override { return false; }
  std::unique_ptr<seq2seq::Stepper> start(const std::vector<Ids>& sources) const override;

  /// Throws RangeError for ids outside the vocabulary. Padding is never read. Dropout only with a `random`.
  Encoded encode(const std::vector<Ids>& sources, Random* random = nullptr) const;

  /// Logits [T, B, V] when the decoder is fed `inputs` (by time, the start token first); of step t from inputs 0 to t.
  /// weights, on request: [B, T, S], the last layer's cross-attention, mean of its heads.
  Tensor logits(const Encoded& source, const PaddedIds& inputs, Random* random = nullptr,
                Tensor* weights = nullptr) const;

 private:
  struct Layer {
    nn::LayerNorm self_norm;
    attention::MultiHeadWeights self;
    std::optional<nn::LayerNorm> cross_norm{};  ///< of the decoder
    std::optional<attention::MultiHeadWeights> cross{};
    nn::LayerNorm feed_norm;
    nn::FeedForward feed;
  };

  Layer make_layer(bool is_decoder, Random& random) const;
  static void collect(nn::Parameters& into, const std::string& name, Layer& layer);
  Tensor embed(const nn::Embedding& table, const Ids& ids, std::int64_t batch, std::int64_t steps,
               Random* random) const;
  Tensor run_layer(const Layer& layer, Tensor x, const Encoded* source, const attention::PositionRule& self_rule,
                   Random* random, Tensor* weights) const;

  Config config_;
  nn::Embedding source_embedding_, target_embedding_;
  std::vector<Layer> encoder_, decoder_;
  nn::LayerNorm encoder_norm_, decoder_norm_;
  nn::Linear output_;
};

}  // namespace lookback::models::transformer
