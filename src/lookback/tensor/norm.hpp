// SPDX-License-Identifier: MIT
// Normalisation of tensors over their last axes.
#pragma once

#include <optional>

#include "lookback/tensor/tensor.hpp"

namespace lookback {

struct LayerNormResult {
  Tensor output;
  Tensor mean;               ///< leading extents, then 1 for each normalised axis; a tape takes it as constant
  Tensor inverse_deviation;  ///< 1 / sqrt(variance + epsilon), the same shape
};

/// (x - mean) / sqrt(variance + epsilon) * weight + bias over the axes from `axis` on; the variance divides by n.
/// weight and bias broadcast to those axes. Throws ShapeError, RangeError, and ValueError for a negative epsilon.
LayerNormResult layer_norm(const Tensor& x, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                           float epsilon = 1e-5f, int axis = -1);

/// x / sqrt(mean(x^2) + epsilon) * weight over the axes from `axis` on.
Tensor rms_norm(const Tensor& x, const std::optional<Tensor>& weight, float epsilon = 1e-5f, int axis = -1);

}  // namespace lookback
