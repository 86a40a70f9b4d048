// SPDX-License-Identifier: MIT
// The LSTM layer.
#pragma once

#include <optional>

#include "lookback/nn/recurrent.hpp"

namespace lookback::nn {

/// i, f, o = sigmoid(x W + b + h R + c), g = tanh(..), c' = f c + i g, h' = o tanh(c'), gates in the order i f g o.
/// With either direction or both; the reverse one starts at each item's own last step.
/// Hochreiter, Schmidhuber 1997; Schuster, Paliwal, "Bidirectional recurrent neural networks", 1997.
struct Lstm {
  std::optional<RecurrentWeights> forward_weights{};
  std::optional<RecurrentWeights> reverse_weights{};

  /// x [B, T, D]. A pure function: no state is kept between calls.
  /// Throws ShapeError naming the shapes that disagree, RangeError for a length outside 0 to T, ValueError without
  /// weights or when first states and directions differ in number.
  RecurrentResult forward(const Tensor& x, const RecurrentOptions& options = {}) const;
};

}  // namespace lookback::nn
