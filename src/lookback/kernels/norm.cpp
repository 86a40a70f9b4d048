// SPDX-License-Identifier: MIT
// Row normalisations; sums run in double, since rows of near-equal numbers cancel.
#include "lookback/kernels/norm.hpp"

#include <cmath>

namespace lookback::kernels {

namespace {
/// 1 / sqrt(square), and 0 for 0: a row without any spread has nothing to be divided, even when epsilon is 0.
double inverse_root(double square) { return square == 0.0 ? 0.0 : 1.0 / std::sqrt(square); }
}  // namespace

RowMoments layer_norm_row(const float* x, const float* weight, const float* bias, float epsilon, float* output,
                          std::int64_t n) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]);
  const double mean = n ? sum / static_cast<double>(n) : 0.0;
  double squares = 0.0;
  for (std::int64_t i = 0; i < n; ++i)
    squares += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
  const double variance = n ? squares / static_cast<double>(n) : 0.0;
  const double inverse = inverse_root(variance + static_cast<double>(epsilon));
  for (std::int64_t i = 0; i < n; ++i) {
    const float normal = static_cast<float>((static_cast<double>(x[i]) - mean) * inverse);
    output[i] = normal * (weight ? weight[i] : 1.0f) + (bias ? bias[i] : 0.0f);
  }
  return {static_cast<float>(mean), static_cast<float>(inverse)};
}

void rms_norm_row(const float* x, const float* weight, float epsilon, float* output, std::int64_t n) {
  double squares = 0.0;
  for (std::int64_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  const double mean_square = n ? squares / static_cast<double>(n) : 0.0;
  const float inverse = static_cast<float>(inverse_root(mean_square + static_cast<double>(epsilon)));
  for (std::int64_t i = 0; i < n; ++i) output[i] = x[i] * inverse * (weight ? weight[i] : 1.0f);
}

}  // namespace lookback::kernels
