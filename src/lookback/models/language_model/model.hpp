// SPDX-License-Identifier: MIT
// A decoder of the Llama family that can be trained.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/models/language_model/config.hpp"
#include "lookback/nn/parameters.hpp"

namespace lookback::models::language_model {

using Ids = std::vector<std::int64_t>;

/// x = E[ids]; for each block: x += W_o attention(rotary(W_q n), rotary(W_k n), W_v n) with n = rms_norm(x), each
/// position looking back only; x += W_down (silu(W_gate n) * W_up n) with n = rms_norm(x); logits = rms_norm(x) E^T.
/// Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", 2023.
class Model {
 public:
  /// Random weights: normal with deviation 0.02, that of W_o and W_down over sqrt(2 L) (Radford et al., "Language
  /// Models are Unsupervised Multitask Learners", 2019). Throws ValueError for a bad config.
  Model(const Config& config, Random& random);

  const Config& config() const { return config_; }
  /// In a fixed order, under GGUF's names ("blk.0.attn_q.weight"); matrices are [in, out]. Valid while the model stays
  /// where it is.
  nn::Parameters parameters();

  /// ids: `batch` sequences of T tokens, one after another -> [B, T, V]. Dropout only with a `random`.
  /// Throws ShapeError when `batch` does not divide the ids or T is 0 or beyond the context, RangeError for an id
  /// outside the vocabulary.
  Tensor logits(const Ids& ids, std::int64_t batch, Random* random = nullptr) const;

 private:
  struct Block {
    nn::RmsNorm attention_norm;
    nn::Linear query, key, value, output;
    nn::RmsNorm feed_forward_norm;
    nn::FeedForward feed_forward;
  };

  Block make_block(Random& random) const;
  Tensor attend(const Block& block, const Tensor& x) const;
  Tensor dropped(const Tensor& x, Random* random) const;

  Config config_;
  Tensor embedding_;  ///< [V, D]
  std::vector<Block> blocks_;
  nn::RmsNorm output_norm_;
};

}  // namespace lookback::models::language_model
