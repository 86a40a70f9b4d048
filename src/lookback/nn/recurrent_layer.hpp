// SPDX-License-Identifier: MIT
// One or two directions of an LSTM or GRU. Internal to the layer.
#pragma once

#include <optional>

#include "lookback/kernels/recurrent.hpp"
#include "lookback/nn/recurrent.hpp"

namespace lookback::nn {

struct RecurrentLayer {
  const std::optional<RecurrentWeights>& forward_weights;
  const std::optional<RecurrentWeights>& reverse_weights;
  std::optional<kernels::GruReset> reset{};  ///< none: an LSTM

  const char* name() const { return reset ? "gru" : "lstm"; }
};

RecurrentResult run_layer(const RecurrentLayer& layer, const Tensor& x, const RecurrentOptions& options);

}  // namespace lookback::nn
