// SPDX-License-Identifier: MIT
// The GRU layer.
#include "lookback/nn/gru.hpp"

#include "lookback/nn/recurrent_layer.hpp"

namespace lookback::nn {

RecurrentResult Gru::forward(const Tensor& x, const RecurrentOptions& options) const {
  return run_layer({forward_weights, reverse_weights, reset}, x, options);
}

}  // namespace lookback::nn
