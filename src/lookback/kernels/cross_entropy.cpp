// SPDX-License-Identifier: MIT
// The largest probability is 1 / sum exp(x - max), which gives the log of the sum without summing again.
#include "lookback/kernels/cross_entropy.hpp"

#include <cmath>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/kernels/softmax.hpp"

namespace lookback::kernels {

double cross_entropy_row(const float* x, std::int64_t target, float* probabilities, std::int64_t n) {
  LOOKBACK_ASSERT(target >= 0 && target < n);
  const std::int64_t best = argmax_row(x, n);
  const double below_best = best < 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : static_cast<double>(x[best]) - static_cast<double>(x[target]);
  softmax_row(x, probabilities, n, 1.0f);
  return best < 0 ? below_best : below_best - std::log(static_cast<double>(probabilities[best]));
}

void cross_entropy_backward_row(const float* probabilities, std::int64_t target, float factor, float* d_x,
                                std::int64_t n) {
  accumulate(d_x, probabilities, factor, n);
  d_x[target] -= factor;
}

}  // namespace lookback::kernels
