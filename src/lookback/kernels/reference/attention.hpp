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

/// softmax(cap(q k^T * scale) + bias) v for one batch item. q [H, T, K], k [G, S, K], v [G, S, Kv].
inline AttentionResult attention(const float* q, const float* k, const float* v, const AttentionSizes& s,
                                 const ScoreBias& bias) {
  AttentionResult result;
  for (std::int64_t h = 0; h < s.heads; ++h) {
    const std::int64_t g = h / (s.heads / s.kv_heads);
    for (std::int64_t t = 0; t < s.queries; ++t) {
      Row scores(static_cast<std::size_t>(s.keys));
      for (std::int64_t j = 0; j < s.keys; ++j) {
        double sum = 0.0;
        for (std::int64_t d = 0; d < s.head_dim; ++d) {
          sum += static_cast<double>(q[(h * s.queries + t) * s.head_dim + d]) *
                 static_cast<double>(k[(g * s.keys + j) * s.head_dim + d]);
        }
        sum *= s.scale;
        if (s.soft_cap > 0.0) sum = s.soft_cap * std::tanh(sum / s.soft_cap);
        scores[static_cast<std::size_t>(j)] = sum + bias(h, t, j);
      }
      const Row weights = softmax(scores);
      result.weights.insert(result.weights.end(), weights.begin(), weights.end());
      for (std::int64_t d = 0; d < s.value_dim; ++d) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < s.keys; ++j) {
          sum += weights[static_cast<std::size_t>(j)] * static_cast<double>(v[(g * s.keys + j) * s.value_dim + d]);
        }
        result.output.push_back(sum);
      }
    }
  }
  return result;
}

}  // namespace lookback::kernels::reference
