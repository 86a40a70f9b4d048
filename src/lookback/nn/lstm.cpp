// SPDX-License-Identifier: MIT
// The LSTM layer.
#include "lookback/nn/lstm.hpp"

#include "lookback/nn/recurrent_layer.hpp"

namespace lookback::nn {

RecurrentResult Lstm::forward(const Tensor& x, const RecurrentOptions& options) const {
  return run_layer({forward_weights, reverse_weights}, x, options);
}

}  // namespace lookback::nn
