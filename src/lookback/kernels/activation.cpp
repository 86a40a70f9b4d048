// SPDX-License-Identifier: MIT
// Activation functions.
#include "lookback/kernels/activation.hpp"

#include <cmath>

namespace lookback::kernels {

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
  constexpr float kSqrt2OverPi = 0.79788456f;
  const float gate = 0.5f * (1.0f + std::tanh(kSqrt2OverPi * (x + 0.044715f * x * x * x)));
  return gate == 0.0f ? 0.0f : x * gate;
}

float relu(float x) { return x < 0.0f ? 0.0f : x; }

}  // namespace lookback::kernels
