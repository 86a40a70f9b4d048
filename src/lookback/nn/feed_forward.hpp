// SPDX-License-Identifier: MIT
// The position-wise network of a Transformer block.
#pragma once

#include <optional>

#include "lookback/nn/linear.hpp"

namespace lookback::nn {

enum class Activation { relu, gelu_erf, gelu_tanh, swish };

Tensor activate(const Tensor& x, Activation activation);

/// Plain: down(f(up(x))). Gated: down(f(gate(x)) * up(x)); with f = swish this is SwiGLU.
/// Vaswani et al. 2017, section 3.3; Shazeer, "GLU Variants Improve Transformer", 2020.
struct FeedForward {
  Linear up;                     ///< [D, F]
  Linear down;                   ///< [F, D]
  std::optional<Linear> gate{};  ///< [D, F]
  Activation activation = Activation::relu;

  /// x [.., D] -> [.., D]. Throws ShapeError.
  Tensor forward(const Tensor& x) const;
};

}  // namespace lookback::nn
