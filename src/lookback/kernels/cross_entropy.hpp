// SPDX-License-Identifier: MIT
// Cross entropy of a softmax, a row at a time.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// -log softmax(x)_target, and probabilities [n] = softmax(x); by log-sum-exp, so that neither overflows. A target of
/// probability 0 gives infinity only when its logit is -infinity. probabilities may be x itself.
double cross_entropy_row(const float* x, std::int64_t target, float* probabilities, std::int64_t n);

/// d_x += factor (probabilities - one-hot(target)).
void cross_entropy_backward_row(const float* probabilities, std::int64_t target, float factor, float* d_x,
                                std::int64_t n);

}  // namespace lookback::kernels
