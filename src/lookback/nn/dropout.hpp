// SPDX-License-Identifier: MIT
// Dropout.
#pragma once

#include "lookback/core/random.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::nn {

/// Each number becomes 0 with probability `rate`, else x / (1 - rate), so that the mean stays. Rate 0 gives x itself
/// and draws nothing. For training alone. Throws ValueError unless 0 <= rate < 1.
/// Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014.
Tensor dropout(const Tensor& x, float rate, Random& random);

}  // namespace lookback::nn
