// SPDX-License-Identifier: MIT
// Additive attention of one query over its keys, forward and backward, with both projections computed before.
// Letters here: S keys, N numbers inside the tanh, D numbers in a value.
#pragma once

#include <cstdint>

namespace lookback::kernels {

struct AdditiveAttention {
  std::int64_t keys = 0;                  ///< S
  std::int64_t hidden = 0;                ///< N
  std::int64_t value_dim = 0;             ///< D
  const float* query = nullptr;           ///< [N]: query W_a
  const float* projected_keys = nullptr;  ///< [S, N]: keys U_a
  const float* vector = nullptr;          ///< [N]: v_a
  const float* values = nullptr;          ///< [S, D]
};

/// hiddens [S, N] = tanh(query + projected_keys), weights [S] = softmax(v_a . hiddens), context [D] = weights values.
/// S = 0 gives a context of zeros. Bahdanau, Cho, Bengio 2015, appendix A.1.2.
void additive_attention(const AdditiveAttention& operands, float* hiddens, float* weights, float* context);

/// All are added to; null: not wanted.
struct AdditiveAttentionGradients {
  float* d_query = nullptr;           ///< [N]
  float* d_projected_keys = nullptr;  ///< [S, N]
  float* d_vector = nullptr;          ///< [N]
  float* d_values = nullptr;          ///< [S, D]
};

/// Back from d_context [D] and d_weights [S], null for zeros. scratch: S floats.
void additive_attention_backward(const AdditiveAttention& operands, const float* hiddens, const float* weights,
                                 const float* d_context, const float* d_weights,
                                 const AdditiveAttentionGradients& gradients, float* scratch);

}  // namespace lookback::kernels
