// SPDX-License-Identifier: MIT
// Steps of gradient descent on a row of weights.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// velocity = momentum velocity + factor g, w -= rate velocity. velocity null: w -= rate factor g.
void sgd_row(float* w, float* velocity, const float* g, float rate, float factor, float momentum, std::int64_t n);

struct AdamStep {
  float beta1;
  float beta2;
  float epsilon;
  float rate;              ///< over 1 - beta1^t
  float inverse_variance;  ///< 1 / (1 - beta2^t)
  float decay;             ///< rate * weight decay
  float factor;            ///< of the gradient
};

/// first = beta1 first + (1 - beta1) factor g, second = beta2 second + (1 - beta2) (factor g)^2,
/// w = w - decay w - rate first / (sqrt(second inverse_variance) + epsilon).
void adam_row(float* w, float* first, float* second, const float* g, const AdamStep& step, std::int64_t n);

}  // namespace lookback::kernels
