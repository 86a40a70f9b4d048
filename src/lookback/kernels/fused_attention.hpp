// SPDX-License-Identifier: MIT
// Attention that never stores the T x S scores: keys are taken a block at a time, with a running maximum and sum.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// Which keys query t sees: [position + t - left, position + t + right], cut to [0, length).
struct VisibleKeys {
  std::int64_t length = 0;    ///< S, or fewer where the rest is padding
  std::int64_t position = 0;  ///< key position of query 0; may be negative
  std::int64_t left = 0;      ///< kUnlimited: no limit
  std::int64_t right = 0;     ///< 0 is causal
  static constexpr std::int64_t kUnlimited = INT64_MAX;

  std::int64_t begin(std::int64_t t) const;
  std::int64_t end(std::int64_t t) const;  ///< not below begin(t)
};

/// A mask beside the rule of positions; strides of 0 broadcast.
struct ScoreMask {
  enum class Kind {
    none,
    keep,    ///< 0 drops the key
    ignore,  ///< all but 0 drop the key
    bias,    ///< added to the score; -infinity drops the key, whatever the score
  };
  Kind kind = Kind::none;
  const float* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 0;
  std::int64_t head_stride = 0;
};

/// The query heads that share a key head. Rows lie `..._stride` floats apart and heads `..._head_stride`, so that any
/// layout is read where it is.
struct AttentionHeads {
  const float* query = nullptr;  ///< [heads, T, K]
  const float* key = nullptr;    ///< [S, K]
  const float* value = nullptr;  ///< [S, Kv]
  float* output = nullptr;       ///< [heads, T, Kv]
  std::int64_t query_stride = 0, key_stride = 0, value_stride = 0, output_stride = 0;
  std::int64_t query_head_stride = 0, output_head_stride = 0;
  std::int64_t heads = 1;      ///< H / G
  std::int64_t queries = 0;    ///< T
  std::int64_t head_dim = 0;   ///< K
  std::int64_t value_dim = 0;  ///< Kv
  float scale = 1.0f;
  float soft_cap = 0.0f;  ///< cap * tanh(score / cap) before the masks; 0 is off
  VisibleKeys visible{};
  ScoreMask mask{};
};

/// Floats of scratch; depends on K and Kv alone, not on T or S.
std::int64_t fused_attention_scratch(std::int64_t head_dim, std::int64_t value_dim);

/// output_h,t = softmax_s(mask(cap(query_h,t . key_s * scale))) value_s over the keys that t sees. A query that sees
/// none gets zeros. NaN in a score that counts makes its row NaN; scores of +infinity share the weight. A key whose
/// weight is 0, dropped or far below the largest, adds nothing, not even where its value is infinite or NaN. Keys that
/// no query of a block sees are not read. Output may alias nothing else; scratch holds fused_attention_scratch floats.
/// Milakov, Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022.
void fused_attention(const AttentionHeads& heads, float* scratch);

}  // namespace lookback::kernels
