// SPDX-License-Identifier: MIT
// Gradients of the row normalisations; sums in double, as in the forward pass.
#include "lookback/kernels/norm_backward.hpp"

#include <cmath>

namespace lookback::kernels {

void layer_norm_backward_row(const float* x, const float* weight, RowMoments moments, const float* d_y, float* d_x,
                             float* d_weight, float* d_bias, std::int64_t n) {
  const float mean = moments.mean;
  const float inverse = moments.inverse_deviation;
  double sum = 0.0;
  double sum_normal = 0.0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double g = static_cast<double>(d_y[i] * (weight ? weight[i] : 1.0f));
    sum += g;
    sum_normal += g * static_cast<double>((x[i] - mean) * inverse);
  }
  const float mean_g = static_cast<float>(sum / static_cast<double>(n));
  const float mean_normal = static_cast<float>(sum_normal / static_cast<double>(n));
  if (d_x) {
    for (std::int64_t i = 0; i < n; ++i) {
      const float g = d_y[i] * (weight ? weight[i] : 1.0f);
      d_x[i] += inverse * (g - mean_g - (x[i] - mean) * inverse * mean_normal);
    }
  }
  if (d_weight) {
    for (std::int64_t i = 0; i < n; ++i) d_weight[i] += d_y[i] * ((x[i] - mean) * inverse);
  }
  if (d_bias) {
    for (std::int64_t i = 0; i < n; ++i) d_bias[i] += d_y[i];
  }
}

void rms_norm_backward_row(const float* x, const float* weight, float epsilon, const float* d_y, float* d_x,
                           float* d_weight, std::int64_t n) {
  double squares = 0.0;
  double products = 0.0;
  for (std::int64_t i = 0; i < n; ++i) {
    squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    products += static_cast<double>(d_y[i] * (weight ? weight[i] : 1.0f)) * static_cast<double>(x[i]);
  }
  const double mean_square = squares / static_cast<double>(n) + static_cast<double>(epsilon);
  const double root = mean_square == 0.0 ? 0.0 : 1.0 / std::sqrt(mean_square);
  const float inverse = static_cast<float>(root);
  const float cubic = static_cast<float>(root * root * root * products / static_cast<double>(n));
  if (d_x) {
    for (std::int64_t i = 0; i < n; ++i) d_x[i] += inverse * d_y[i] * (weight ? weight[i] : 1.0f) - x[i] * cubic;
  }
  if (d_weight) {
    for (std::int64_t i = 0; i < n; ++i) d_weight[i] += d_y[i] * x[i] * inverse;
  }
}

}  // namespace lookback::kernels
