// SPDX-License-Identifier: MIT
// Activation functions.
#include "lookback/kernels/activation.hpp"

#include <cmath>
#include <limits>

#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

namespace {

constexpr float kSqrt2OverPi = 0.79788456f;
constexpr float kGeluCubic = 0.044715f;

/// x * gate, and 0 where the gate is shut: -infinity times 0 is the limit 0, not NaN.
Vec gated(Vec x, Vec gate) {
  const VecMask is_shut = less(gate, splat(std::numeric_limits<float>::min()));
  return select(is_shut, splat(0.0f), mul(x, gate));
}

}  // namespace

float sigmoid(float x) {
  if (x >= 0.0f) return 1.0f / (1.0f + std::exp(-x));
  const float e = std::exp(x);
  return e / (1.0f + e);
}

float swish(float x, float alpha) {
  const float gate = sigmoid(alpha * x);
  // -infinity times a gate of 0 is the limit 0, not NaN.
  return gate == 0.0f ? 0.0f : x * gate;
}

float gelu_erf(float x) {
  constexpr float kInverseSqrt2 = 0.70710678f;
  const float gate = 0.5f * std::erfc(-x * kInverseSqrt2);
  return gate == 0.0f ? 0.0f : x * gate;
}

float gelu_tanh(float x) {
  const float gate = 0.5f * (1.0f + std::tanh(kSqrt2OverPi * (x + kGeluCubic * x * x * x)));
  return gate == 0.0f ? 0.0f : x * gate;
}

float relu(float x) { return x < 0.0f ? 0.0f : x; }

void sigmoid_row(const float* x, float* output, std::int64_t n) { map_row(x, output, n, Sigmoid()); }

void tanh_row(const float* x, float* output, std::int64_t n) { map_row(x, output, n, Tanh()); }

void swish_row(const float* x, float alpha, float* output, std::int64_t n) {
  map_row(x, output, n, [factor = splat(alpha), gate = Sigmoid()](Vec v) { return gated(v, gate(mul(factor, v))); });
}

void silu_multiply_row(const float* gate, const float* up, float* output, std::int64_t n) {
  const Sigmoid openness;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec v = load(gate + i);
    store(output + i, mul(gated(v, openness(v)), load(up + i)));
  }
  for (; i < n; ++i) output[i] = swish(gate[i], 1.0f) * up[i];
}

void gelu_tanh_row(const float* x, float* output, std::int64_t n) {
  map_row(x, output, n, [tanh = Tanh()](Vec v) {
    const Vec inner = mul_add(mul(splat(kGeluCubic), mul(v, v)), v, v);
    return gated(v, mul(splat(0.5f), add(splat(1.0f), tanh(mul(splat(kSqrt2OverPi), inner)))));
  });
}

}  // namespace lookback::kernels
