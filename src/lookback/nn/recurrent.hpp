// SPDX-License-Identifier: MIT
// What LSTM and GRU layers have in common: weights, states, options, and the order of gates.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lookback/nn/linear.hpp"
#include "lookback/tensor/recurrent.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::nn {

/// One direction of a layer with states of N numbers and G gates (4 in an LSTM, 3 in a GRU). The two biases are kept
/// apart: an LSTM only ever adds them, but a GRU that resets after the product needs them so.
struct RecurrentWeights {
  Linear input;   ///< [D, G N]
  Linear hidden;  ///< [N, G N]
};

/// Columns of gates in order `from` -> in order `to`: gates_in_order(weight, "iofg", "ifgo"). weight [.., G N].
/// LSTM: i input, f forget, g cell, o output. "ifgo": here, PyTorch, Keras; "iofg": ONNX; "igfo": TensorFlow 1, whose
/// forget bias of 1 is added when it runs. GRU: r reset, z update, n new. "rzn": here, PyTorch; "zrn": ONNX, Keras.
/// Throws ValueError unless both name the same gates once each, ShapeError when G does not divide the columns.
Tensor gates_in_order(const Tensor& weight, std::string_view from, std::string_view to);

struct RecurrentOptions {
  std::vector<std::int64_t> lengths{};  ///< [B], true lengths, each from 0 to T; empty: all are T
  std::vector<SequenceState> first{};   ///< the state before the first step, of each direction; empty: zeros
};

/// Directions in the order forward, reverse, as far as the layer has them.
struct RecurrentResult {
  Tensor output;                      ///< [B, T, directions N]; zeros beyond an item's length
  std::vector<SequenceState> last{};  ///< the state after each item's last step, in reverse its first
};

}  // namespace lookback::nn
