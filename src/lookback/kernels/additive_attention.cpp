// SPDX-License-Identifier: MIT
// Nearly all of the time goes into the tanh of every key and every hidden number.
#include "lookback/kernels/additive_attention.hpp"

#include <algorithm>

#include "lookback/kernels/matmul.hpp"
#include "lookback/kernels/recurrent_rows.hpp"
#include "lookback/kernels/softmax.hpp"
#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

using recurrent::for_lanes;
using recurrent::Lanes;
using recurrent::tanh_gradient;

namespace {

/// hidden [N] = tanh(query + key); returns vector . hidden.
float hidden_row(const Tanh& tanh, const float* query, const float* key, const float* vector, float* hidden,
                 std::int64_t n) {
  Vec sum = splat(0.0f);
  for_lanes(n, [&](Lanes lanes) {
    const Vec h = tanh(add(lanes.of(query), lanes.of(key)));
    lanes.put(hidden, h);
    sum = mul_add(h, lanes.of(vector), sum);
  });
  return horizontal_sum(sum);
}

/// into += factor x.
void add_scaled(float* into, const float* x, float factor, std::int64_t n) {
  const Vec f = splat(factor);
  for_lanes(n, [&](Lanes lanes) { lanes.put(into, mul_add(f, lanes.of(x), lanes.of(into))); });
}

/// Back through one key's score, whose gradient is d_score.
void hidden_row_back(const AdditiveAttention& operands, const float* hidden, float d_score,
                     const AdditiveAttentionGradients& gradients, std::int64_t key) {
  const Vec d = splat(d_score);
  float* const d_key = gradients.d_projected_keys ? gradients.d_projected_keys + key * operands.hidden : nullptr;
  for_lanes(operands.hidden, [&](Lanes lanes) {
    const Vec h = lanes.of(hidden);
    const Vec d_sum = tanh_gradient(h, mul(d, lanes.of(operands.vector)));
    if (gradients.d_query) lanes.put(gradients.d_query, add(lanes.of(gradients.d_query), d_sum));
    if (d_key) lanes.put(d_key, add(lanes.of(d_key), d_sum));
    if (gradients.d_vector) lanes.put(gradients.d_vector, mul_add(d, h, lanes.of(gradients.d_vector)));
  });
}

}  // namespace

void additive_attention(const AdditiveAttention& operands, float* hiddens, float* weights, float* context) {
  const Tanh tanh;
  const std::int64_t n = operands.hidden;
  for (std::int64_t s = 0; s < operands.keys; ++s) {
    weights[s] = hidden_row(tanh, operands.query, operands.projected_keys + s * n, operands.vector, hiddens + s * n, n);
  }
  softmax_row(weights, weights, operands.keys, 1.0f);
  std::fill_n(context, operands.value_dim, 0.0f);
  for (std::int64_t s = 0; s < operands.keys; ++s) {
    add_scaled(context, operands.values + s * operands.value_dim, weights[s], operands.value_dim);
  }
}

void additive_attention_backward(const AdditiveAttention& operands, const float* hiddens, const float* weights,
                                 const float* d_context, const float* d_weights,
                                 const AdditiveAttentionGradients& gradients, float* scratch) {
  const std::int64_t width = operands.value_dim;
  float mean = 0.0f;
  for (std::int64_t s = 0; s < operands.keys; ++s) {
    const float through_context = d_context ? dot(d_context, operands.values + s * width, width) : 0.0f;
    scratch[s] = through_context + (d_weights ? d_weights[s] : 0.0f);
    mean += weights[s] * scratch[s];
    if (d_context && gradients.d_values) add_scaled(gradients.d_values + s * width, d_context, weights[s], width);
  }
  if (!gradients.d_query && !gradients.d_projected_keys && !gradients.d_vector) return;
  for (std::int64_t s = 0; s < operands.keys; ++s) {
    const float d_score = weights[s] * (scratch[s] - mean);
    hidden_row_back(operands, hiddens + s * operands.hidden, d_score, gradients, s);
  }
}

}  // namespace lookback::kernels
