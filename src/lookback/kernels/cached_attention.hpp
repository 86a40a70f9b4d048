// SPDX-License-Identifier: MIT
// Attention of new queries over a cache of keys and values: the decoder's inner loop.
#pragma once

#include <cstdint>

namespace lookback::kernels {

struct CachedAttentionSizes {
  std::int64_t heads = 0;        ///< H
  std::int64_t kv_heads = 0;     ///< G; divides H, consecutive query heads share a key/value head
  std::int64_t head_dim = 0;     ///< K
  std::int64_t num_queries = 0;  ///< T
  std::int64_t position = 0;     ///< position of query 0: number of tokens cached before it
  std::int64_t capacity = 0;     ///< S extent of the cache
};

/// Floats of scratch that cached_attention needs.
std::int64_t cached_attention_scratch(const CachedAttentionSizes& sizes);

/// output_t,h = softmax_s(query_t,h . key_s,g / sqrt(K)) value_s,g over s <= position + t, with g = h / (H / G).
/// query, output [T, H, K]; keys, values [capacity, G, K], rows up to position + T - 1 written.
/// Overwrites output; scratch holds cached_attention_scratch(sizes) floats. `weights`, when not null, receives each
/// query's weights: [T, H, position + T], zero beyond the query's own position. No argument may alias output.
void cached_attention(const float* query, const float* keys, const float* values, const CachedAttentionSizes& sizes,
                      float* output, float* scratch, float* weights);

}  // namespace lookback::kernels
