// SPDX-License-Identifier: MIT
// Attention in double by its definition: the oracle of every faster path.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "lookback/kernels/reference/row.hpp"

namespace lookback::kernels::reference {

struct AttentionSizes {
  std::int64_t heads = 1;      ///< H
  std::int64_t kv_heads = 1;   ///< G, divides H
  std::int64_t queries = 1;    ///< T
  std::int64_t keys = 1;       ///< S
  std::int64_t head_dim = 1;   ///< K
  std::int64_t value_dim = 1;  ///< Kv
  double scale = 1.0;
  double soft_cap = 0.0;  ///< 0 is off
};

struct AttentionResult {
  std::vector<double> output;   ///< [H, T, Kv]
  std::vector<double> weights;  ///< [H, T, S]
};

/// What is added to the score of (head, query, key); -infinity drops the key.
using ScoreBias = std::function<double(std::int64_t head, std::int64_t query, std::int64_t key)>;

/// Scores of one query with `keys` rows: cap(q k^T * scale), without the bias.
inline Row attention_scores(const float* query, const float* keys, const AttentionSizes& s) {
  Row scores(static_cast<std::size_t>(s.keys));
  for (std::int64_t j = 0; j < s.keys; ++j) {
    double sum = 0.0;
    for (std::int64_t d = 0; d < s.head_dim; ++d) {
      sum += static_cast<double>(query[d]) * static_cast<double>(keys[j * s.head_dim + d]);
    }
    sum *= s.scale;
    scores[static_cast<std::size_t>(j)] = s.soft_cap > 0.0 ? s.soft_cap * std::tanh(sum / s.soft_cap) : sum;
  }
  return scores;
}

/// softmax(cap(q k^T * scale) + bias) v for one batch item. q [H, T, K], k [G, S, K], v [G, S, Kv].
inline AttentionResult attention(const float* q, const float* k, const float* v, const AttentionSizes& s,
                                 const ScoreBias& bias) {
  AttentionResult result;
  result.output.resize(static_cast<std::size_t>(s.heads * s.queries * s.value_dim));
  result.weights.resize(static_cast<std::size_t>(s.heads * s.queries * s.keys));
  for (std::int64_t row = 0; row < s.heads * s.queries; ++row) {
    const std::int64_t h = row / s.queries;
    const std::int64_t g = h / (s.heads / s.kv_heads);
    Row scores = attention_scores(q + row * s.head_dim, k + g * s.keys * s.head_dim, s);
    for (std::int64_t j = 0; j < s.keys; ++j) scores[static_cast<std::size_t>(j)] += bias(h, row % s.queries, j);
    const Row weights = softmax(scores);
    for (std::int64_t j = 0; j < s.keys; ++j) {
      const double weight = weights[static_cast<std::size_t>(j)];
      result.weights[static_cast<std::size_t>(row * s.keys + j)] = weight;
      for (std::int64_t d = 0; d < s.value_dim; ++d) {
        result.output[static_cast<std::size_t>(row * s.value_dim + d)] +=
            weight * static_cast<double>(v[(g * s.keys + j) * s.value_dim + d]);
      }
    }
  }
  return result;
}

}  // namespace lookback::kernels::reference
