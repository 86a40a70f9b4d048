// SPDX-License-Identifier: MIT
// Normalisation layers with their learned parameters.
#pragma once

#include "lookback/tensor/tensor.hpp"

namespace lookback::nn {

/// (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis. Ba, Kiros, Hinton 2016.
struct LayerNorm {
  Tensor weight;  ///< [D]
  Tensor bias;    ///< [D]
  float epsilon = 1e-5f;

  /// x [.., D] -> [.., D]. Throws ShapeError.
  Tensor forward(const Tensor& x) const;
};

/// x / sqrt(mean(x^2) + epsilon) * weight over the last axis. Zhang, Sennrich 2019.
struct RmsNorm {
  Tensor weight;  ///< [D]
  float epsilon = 1e-5f;

  Tensor forward(const Tensor& x) const;
};

}  // namespace lookback::nn
