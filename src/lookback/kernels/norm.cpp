// SPDX-License-Identifier: MIT
// Row normalisations; sums run in double, since rows of near-equal numbers cancel.
#include "lookback/kernels/norm.hpp"

#include <cmath>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

namespace {

/// 1 / sqrt(square), and 0 for 0: a row without any spread has nothing to be divided, even when epsilon is 0.
double inverse_root(double square) { return square == 0.0 ? 0.0 : 1.0 / std::sqrt(square); }

/// The mean of f(x_i), 0 of nothing. Four sums, so that additions need not wait for each other.
template <class Function>
double mean_of(const float* x, std::int64_t n, const Function& f) {
  double sums[4] = {};
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    sums[0] += f(static_cast<double>(x[i]));
    sums[1] += f(static_cast<double>(x[i + 1]));
    sums[2] += f(static_cast<double>(x[i + 2]));
    sums[3] += f(static_cast<double>(x[i + 3]));
  }
  for (; i < n; ++i) sums[0] += f(static_cast<double>(x[i]));
  return n ? ((sums[0] + sums[1]) + (sums[2] + sums[3])) / static_cast<double>(n) : 0.0;
}

double squared(double x) { return x * x; }

}  // namespace

RowMoments layer_norm_row(const float* x, const float* weight, const float* bias, float epsilon, float* output,
                          std::int64_t n) {
  const double mean = mean_of(x, n, [](double entry) { return entry; });
  const double variance = mean_of(x, n, [mean](double entry) { return squared(entry - mean); });
  const double inverse = inverse_root(variance + static_cast<double>(epsilon));
  for (std::int64_t i = 0; i < n; ++i) {
    const float normal = static_cast<float>((static_cast<double>(x[i]) - mean) * inverse);
    output[i] = normal * (weight ? weight[i] : 1.0f) + (bias ? bias[i] : 0.0f);
  }
  return {static_cast<float>(mean), static_cast<float>(inverse)};
}

void rms_norm_row(const float* x, const float* weight, float epsilon, float* output, std::int64_t n) {
  const double mean_square = mean_of(x, n, squared);
  const float inverse = static_cast<float>(inverse_root(mean_square + static_cast<double>(epsilon)));
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec normal = mul(load(x + i), splat(inverse));
    store(output + i, weight ? mul(normal, load(weight + i)) : normal);
  }
  for (; i < n; ++i) output[i] = x[i] * inverse * (weight ? weight[i] : 1.0f);
}

}  // namespace lookback::kernels
