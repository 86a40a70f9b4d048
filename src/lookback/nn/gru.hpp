// SPDX-License-Identifier: MIT
// The GRU layer.
#pragma once

#include <optional>

#include "lookback/kernels/recurrent.hpp"
#include "lookback/nn/recurrent.hpp"

namespace lookback::nn {

using kernels::GruReset;

/// r, z = sigmoid(x W + b + h R + c), h' = (1 - z) n + z h, gates in the order r z n, and
///   GruReset::before: n = tanh(x W_n + b_n + (r h) R_n + c_n)   Cho et al. 2014; ONNX's default
///   GruReset::after:  n = tanh(x W_n + b_n + r (h R_n + c_n))   PyTorch, cuDNN, Keras's default
/// With either direction or both; the reverse one starts at each item's own last step.
struct Gru {
  GruReset reset;
  std::optional<RecurrentWeights> forward_weights{};
  std::optional<RecurrentWeights> reverse_weights{};

  /// As Lstm::forward, with states that have no cell.
  RecurrentResult forward(const Tensor& x, const RecurrentOptions& options = {}) const;
};

}  // namespace lookback::nn
