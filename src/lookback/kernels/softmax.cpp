// SPDX-License-Identifier: MIT
// Softmax with the maximum taken out first.
#include "lookback/kernels/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lookback/kernels/simd.hpp"
#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct RowMaximum {
  float value = -kInfinity;
  bool has_nan = false;
};

RowMaximum maximum(const float* x, std::int64_t n) {
  Vec largest = splat(-kInfinity);
  Vec sum_of_nan = splat(0.0f);  // NaN once any entry is; infinities are kept out of it
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec entry = load(x + i);
    largest = max(entry, largest);
    sum_of_nan = select(is_nan(entry), entry, sum_of_nan);
  }
  RowMaximum result{horizontal_max(largest), any(is_nan(sum_of_nan))};
  for (; i < n; ++i) {
    result.has_nan |= std::isnan(x[i]);
    result.value = std::max(result.value, x[i]);
  }
  return result;
}

/// Answers the rows from which no maximum can be subtracted: NaN if any entry is NaN, `when_masked` if all are
/// -infinity; where some are +infinity, `when_infinite` to those and `otherwise` to the rest.
bool fill_special_row(const float* x, const RowMaximum& m, float when_masked, float when_infinite, float otherwise,
                      float* output, std::int64_t n) {
  if (!m.has_nan && std::isfinite(m.value)) return false;
  const bool is_uniform = m.has_nan || m.value < 0.0f;
  const float uniform = m.has_nan ? std::numeric_limits<float>::quiet_NaN() : when_masked;
  for (std::int64_t i = 0; i < n; ++i) output[i] = is_uniform ? uniform : x[i] == kInfinity ? when_infinite : otherwise;
  return true;
}

/// sum_i exp((x_i - m) / temperature); its terms go to output unless that is null.
float exponentials(const float* x, float m, float temperature, float* output, std::int64_t n) {
  const Vec shift = splat(m);
  const Vec divisor = splat(temperature);
  const Exp power;
  Vec sums = splat(0.0f);
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec term = power(div(sub(load(x + i), shift), divisor));
    if (output) store(output + i, term);
    sums = add(sums, term);
  }
  float rest[kLanes];
  std::fill(rest, rest + kLanes, -kInfinity);
  for (std::int64_t j = i; j < n; ++j) rest[j - i] = (x[j] - m) / temperature;
  const Vec last = power(load(rest));
  store(rest, last);
  for (std::int64_t j = i; output && j < n; ++j) output[j] = rest[j - i];
  return horizontal_sum(add(sums, last));
}

}  // namespace

void softmax_row(const float* x, float* output, std::int64_t n, float temperature) {
  const RowMaximum m = maximum(x, n);
  const auto infinite = static_cast<float>(m.value == kInfinity ? std::count(x, x + n, kInfinity) : 1);
  if (fill_special_row(x, m, 0.0f, 1.0f / infinite, 0.0f, output, n)) return;
  const float sum = exponentials(x, m.value, temperature, output, n);
  map_row(output, output, n, [divisor = splat(sum)](Vec term) { return div(term, divisor); });
}

void log_softmax_row(const float* x, float* output, std::int64_t n) {
  const RowMaximum m = maximum(x, n);
  const auto infinite = static_cast<float>(m.value == kInfinity ? std::count(x, x + n, kInfinity) : 1);
  if (fill_special_row(x, m, -kInfinity, -std::log(infinite), -kInfinity, output, n)) return;
  const float log_sum = std::log(exponentials(x, m.value, 1.0f, nullptr, n));
  map_row(x, output, n,
          [shift = splat(m.value), log = splat(log_sum)](Vec entry) { return sub(sub(entry, shift), log); });
}

std::int64_t argmax_row(const float* x, std::int64_t n) {
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    if (!std::isnan(x[i]) && (best < 0 || x[i] > x[best])) best = i;
  }
  return best;
}

}  // namespace lookback::kernels
