// SPDX-License-Identifier: MIT
// Causal attention over a key/value cache, one query head at a time.
#include "lookback/kernels/cached_attention.hpp"

#include <algorithm>
#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/kernels/fused_attention.hpp"
#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/softmax.hpp"

namespace lookback::kernels {

namespace {

float scale_of(const CachedAttentionSizes& s) { return 1.0f / std::sqrt(static_cast<float>(s.head_dim)); }

/// Where in a cached row the key head of query head h begins.
std::int64_t key_offset(const CachedAttentionSizes& s, std::int64_t h) {
  return h / (s.heads / s.kv_heads) * s.head_dim;
}

/// Steps score, normalise, read for one query head that sees `length` keys.
void attend(const float* query, const float* keys, const float* values, const CachedAttentionSizes& s,
            std::int64_t length, float* output, float* row) {
  const std::int64_t stride = s.kv_heads * s.head_dim;
  dots(query, keys, stride, length, s.head_dim, row);
  for (std::int64_t j = 0; j < length; ++j) row[j] *= scale_of(s);
  softmax_row(row, row, length);
  std::fill(output, output + s.head_dim, 0.0f);
  add_weighted_rows(row, values, stride, length, output, s.head_dim);
}

/// Without weights to be kept: all queries of all heads that share a key head at once.
void attend_fused(const float* query, const float* keys, const float* values, const CachedAttentionSizes& s,
                  float* output, float* scratch) {
  AttentionHeads group;
  group.heads = s.heads / s.kv_heads;
  group.query_stride = group.output_stride = s.heads * s.head_dim;
  group.query_head_stride = group.output_head_stride = s.head_dim;
  group.key_stride = group.value_stride = s.kv_heads * s.head_dim;
  group.queries = s.num_queries;
  group.head_dim = group.value_dim = s.head_dim;
  group.scale = scale_of(s);
  group.visible = {.length = s.position + s.num_queries, .position = s.position, .left = VisibleKeys::kUnlimited};
  for (std::int64_t g = 0; g < s.kv_heads; ++g) {
    const std::int64_t first = g * group.heads * s.head_dim;
    group.query = query + first;
    group.key = keys + g * s.head_dim;
    group.value = values + g * s.head_dim;
    group.output = output + first;
    fused_attention(group, scratch);
  }
}

}  // namespace

std::int64_t cached_attention_scratch(const CachedAttentionSizes& s) {
  return std::max(s.position + s.num_queries, fused_attention_scratch(s.head_dim, s.head_dim));
}

void cached_attention(const float* query, const float* keys, const float* values, const CachedAttentionSizes& s,
                      float* output, float* scratch, float* weights) {
  LOOKBACK_ASSERT(s.kv_heads > 0 && s.heads % s.kv_heads == 0);
  LOOKBACK_ASSERT(s.position + s.num_queries <= s.capacity);
  if (!weights) return attend_fused(query, keys, values, s, output, scratch);
  const std::int64_t span = s.position + s.num_queries;
  for (std::int64_t t = 0; t < s.num_queries; ++t) {
    const std::int64_t length = s.position + t + 1;
    for (std::int64_t h = 0; h < s.heads; ++h) {
      const std::int64_t kv_offset = key_offset(s, h);
      const std::int64_t row_index = t * s.heads + h;
      attend(query + row_index * s.head_dim, keys + kv_offset, values + kv_offset, s, length,
             output + row_index * s.head_dim, scratch);
      float* row = weights + row_index * span;
      std::copy(scratch, scratch + length, row);
      std::fill(row + length, row + span, 0.0f);
    }
  }
}

}  // namespace lookback::kernels
