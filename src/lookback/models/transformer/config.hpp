// SPDX-License-Identifier: MIT
// What an encoder-decoder Transformer is made of.
#pragma once

#include <cstdint>

namespace lookback::models::transformer {

/// Letters: D width, H heads, F feed-forward.
struct Config {
  std::int64_t source_vocabulary = 0;
  std::int64_t target_vocabulary = 0;
  std::int64_t width = 64;          ///< D
  std::int64_t heads = 4;           ///< H, dividing D
  std::int64_t feed_forward = 128;  ///< F
  std::int64_t layers = 2;          ///< of the encoder and of the decoder
  float dropout = 0.0f;             ///< on embeddings and on what each sublayer adds, in training

  /// Throws ValueError naming the field and its value.
  void check() const;
};

}  // namespace lookback::models::transformer
