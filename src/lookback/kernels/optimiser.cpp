// SPDX-License-Identifier: MIT
// Loops that compilers vectorise, roots and quotients included.
#include "lookback/kernels/optimiser.hpp"

#include <cmath>

namespace lookback::kernels {

void sgd_row(float* w, float* velocity, const float* g, float rate, float factor, float momentum, std::int64_t n) {
  if (!velocity) {
    for (std::int64_t i = 0; i < n; ++i) w[i] -= rate * (factor * g[i]);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    velocity[i] = momentum * velocity[i] + factor * g[i];
    w[i] -= rate * velocity[i];
  }
}

void adam_row(float* w, float* first, float* second, const float* g, const AdamStep& step, std::int64_t n) {
  const AdamStep s = step;
  for (std::int64_t i = 0; i < n; ++i) {
    const float gradient = s.factor * g[i];
    first[i] = s.beta1 * first[i] + (1.0f - s.beta1) * gradient;
    second[i] = s.beta2 * second[i] + (1.0f - s.beta2) * gradient * gradient;
    const float root = std::sqrt(second[i] * s.inverse_variance);
    w[i] = w[i] - s.decay * w[i] - s.rate * first[i] / (root + s.epsilon);
  }
}

}  // namespace lookback::kernels
