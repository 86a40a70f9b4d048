// SPDX-License-Identifier: MIT
// What a language model of the Llama family is made of.
#pragma once

#include <cstdint>

namespace lookback::models::language_model {

/// The decoder of models/decoder as a tensor model, to be trained: its output matrix is the embedding.
struct Config {
  std::int64_t vocabulary = 0;
  std::int64_t context = 256;  ///< most positions
  std::int64_t width = 128;    ///< D
  std::int64_t layers = 6;     ///< L
  std::int64_t heads = 8;      ///< H; D / H features each, an even number
  std::int64_t kv_heads = 8;   ///< G, divides H
  std::int64_t feed_forward = 352;
  double rotary_base = 10000.0;
  float norm_epsilon = 1e-5f;
  float dropout = 0.0f;  ///< on the embedding and on what each half of a block adds, in training

  std::int64_t head_dim() const { return width / heads; }

  /// Throws ValueError naming the field and its value.
  void check() const;

  bool operator==(const Config&) const = default;
};

}  // namespace lookback::models::language_model
