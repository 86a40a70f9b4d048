// SPDX-License-Identifier: MIT
// Gradients of the activation functions.
#include "lookback/kernels/activation_backward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lookback/kernels/activation.hpp"
#include "lookback/kernels/matmul.hpp"

namespace lookback::kernels {

namespace {

constexpr std::int64_t kChunk = 256;

/// function(start, count, room) for pieces of n that a room of kChunk numbers on the stack can hold.
template <typename Function>
void in_chunks(std::int64_t n, Function function) {
  float room[kChunk];
  for (std::int64_t start = 0; start < n; start += kChunk) function(start, std::min(kChunk, n - start), room);
}

}  // namespace

void tanh_backward(const float* y, const float* d_y, float* d_x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) d_x[i] += d_y[i] * (1.0f - y[i] * y[i]);
}

void sigmoid_backward(const float* y, const float* d_y, float* d_x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) d_x[i] += d_y[i] * y[i] * (1.0f - y[i]);
}

void relu_backward(const float* x, const float* d_y, float* d_x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) d_x[i] += x[i] > 0.0f ? d_y[i] : 0.0f;
}

void swish_backward(const float* x, float alpha, const float* d_y, float* d_x, std::int64_t n) {
  in_chunks(n, [&](std::int64_t start, std::int64_t count, float* gate) {
    for (std::int64_t i = 0; i < count; ++i) gate[i] = alpha * x[start + i];
    sigmoid_row(gate, gate, count);
    for (std::int64_t i = 0; i < count; ++i) {
      d_x[start + i] += d_y[start + i] * gate[i] * (1.0f + alpha * x[start + i] * (1.0f - gate[i]));
    }
  });
}

void gelu_erf_backward(const float* x, const float* d_y, float* d_x, std::int64_t n) {
  constexpr float kInverseSqrt2 = 0.70710678f;
  constexpr float kInverseSqrt2Pi = 0.39894228f;
  for (std::int64_t i = 0; i < n; ++i) {
    const float phi = kInverseSqrt2Pi * std::exp(-0.5f * x[i] * x[i]);
    d_x[i] += d_y[i] * (0.5f * std::erfc(-x[i] * kInverseSqrt2) + x[i] * phi);
  }
}

void gelu_tanh_backward(const float* x, const float* d_y, float* d_x, std::int64_t n) {
  constexpr float kSqrt2OverPi = 0.79788456f;
  constexpr float kCubic = 0.044715f;
  in_chunks(n, [&](std::int64_t start, std::int64_t count, float* t) {
    for (std::int64_t i = 0; i < count; ++i) {
      const float v = x[start + i];
      t[i] = kSqrt2OverPi * (v + kCubic * v * v * v);
    }
    tanh_row(t, t, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const float v = x[start + i];
      const float d_inner = kSqrt2OverPi * (1.0f + 3.0f * kCubic * v * v);
      d_x[start + i] += d_y[start + i] * 0.5f * (1.0f + t[i] + v * (1.0f - t[i] * t[i]) * d_inner);
    }
  });
}

void soft_cap_backward(const float* y, float cap, const float* d_y, float* d_x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) d_x[i] += d_y[i] * (1.0f - (y[i] / cap) * (y[i] / cap));
}

void silu_multiply_backward(const float* gate, const float* up, const float* d_y, float* d_gate, float* d_up,
                            std::int64_t n) {
  in_chunks(n, [&](std::int64_t start, std::int64_t count, float* s) {
    sigmoid_row(gate + start, s, count);
    if (d_up) {
      for (std::int64_t i = 0; i < count; ++i) d_up[start + i] += d_y[start + i] * gate[start + i] * s[i];
    }
    if (d_gate) {
      for (std::int64_t i = 0; i < count; ++i) {
        d_gate[start + i] += d_y[start + i] * up[start + i] * s[i] * (1.0f + gate[start + i] * (1.0f - s[i]));
      }
    }
  });
}

void softmax_backward_row(const float* y, const float* d_y, float temperature, float* d_x, std::int64_t n) {
  const float mean = dot(y, d_y, n);
  const float factor = 1.0f / temperature;
  for (std::int64_t i = 0; i < n; ++i) d_x[i] += factor * y[i] * (d_y[i] - mean);
}

void log_softmax_backward_row(const float* y, const float* d_y, float* d_x, std::int64_t n) {
  constexpr float kDropped = -std::numeric_limits<float>::infinity();
  float sum = 0.0f;
  for (std::int64_t i = 0; i < n; ++i) sum += y[i] == kDropped ? 0.0f : d_y[i];
  for (std::int64_t i = 0; i < n; ++i) d_x[i] += y[i] == kDropped ? 0.0f : d_y[i] - std::exp(y[i]) * sum;
}

}  // namespace lookback::kernels
