// SPDX-License-Identifier: MIT
// Softmax with the maximum taken out first.
#include "lookback/kernels/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lookback::kernels {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct RowMaximum {
  float value = -kInfinity;
  bool has_nan = false;
};

RowMaximum maximum(const float* x, std::int64_t n) {
  RowMaximum result;
  for (std::int64_t i = 0; i < n; ++i) {
    result.has_nan |= std::isnan(x[i]);
    result.value = std::max(result.value, x[i]);
  }
  return result;
}

/// Answers the rows that have no maximum to subtract: NaN if any entry is NaN, `when_masked` if all are -infinity.
bool fill_special_row(const RowMaximum& m, float when_masked, float* output, std::int64_t n) {
  if (!m.has_nan && m.value != -kInfinity) return false;
  std::fill(output, output + n, m.has_nan ? std::numeric_limits<float>::quiet_NaN() : when_masked);
  return true;
}

/// x - m where both may be +infinity: the difference is then 0, not NaN.
float shifted(float x, float m) { return x == m ? 0.0f : x - m; }

}  // namespace

void softmax_row(const float* x, float* output, std::int64_t n, float temperature) {
  const RowMaximum m = maximum(x, n);
  if (fill_special_row(m, 0.0f, output, n)) return;
  float sum = 0.0f;
  for (std::int64_t i = 0; i < n; ++i) sum += output[i] = std::exp(shifted(x[i], m.value) / temperature);
  for (std::int64_t i = 0; i < n; ++i) output[i] /= sum;
}

void log_softmax_row(const float* x, float* output, std::int64_t n) {
  const RowMaximum m = maximum(x, n);
  if (fill_special_row(m, -kInfinity, output, n)) return;
  float sum = 0.0f;
  for (std::int64_t i = 0; i < n; ++i) sum += std::exp(shifted(x[i], m.value));
  const float log_sum = std::log(sum);
  for (std::int64_t i = 0; i < n; ++i) output[i] = shifted(x[i], m.value) - log_sum;
}

std::int64_t argmax_row(const float* x, std::int64_t n) {
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    if (!std::isnan(x[i]) && (best < 0 || x[i] > x[best])) best = i;
  }
  return best;
}

}  // namespace lookback::kernels
