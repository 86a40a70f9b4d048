// SPDX-License-Identifier: MIT
// Normalisation layers.
#include "lookback/nn/norm.hpp"

#include "lookback/tensor/norm.hpp"

namespace lookback::nn {

Tensor LayerNorm::forward(const Tensor& x) const { return layer_norm(x, weight, bias, epsilon).output; }

Tensor RmsNorm::forward(const Tensor& x) const { return rms_norm(x, weight, epsilon); }

}  // namespace lookback::nn
