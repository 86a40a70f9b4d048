// SPDX-License-Identifier: MIT
// A run of LSTM or GRU steps over whole sequences, one direction.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookback/kernels/recurrent.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// What one step hands to the next. Letters here: B items, T steps, N numbers in a state.
struct SequenceState {
  std::optional<Tensor> hidden{};  ///< [B, N]; none: zeros
  std::optional<Tensor> cell{};    ///< [B, N], of an LSTM only; none: zeros
};

struct SequenceResult {
  Tensor output;       ///< [B, T, N], the hidden state after every step; zeros beyond an item's length
  SequenceState last;  ///< the state after each item's last step
};

struct SequenceOptions {
  bool is_reversed = false;             ///< from each item's last step to its first
  std::vector<std::int64_t> lengths{};  ///< [B], each from 0 to T; empty: all are T
};

/// Steps of kernels::lstm_forward. projection [B, T, 4 N] is x W + its bias, hidden_weight [N, 4 N], hidden_bias [4 N],
/// all with columns in the order i f g o. An item of length 0 ends with its first state.
/// Throws ShapeError naming the shapes that disagree, RangeError naming a length outside 0 to T.
SequenceResult lstm_sequence(const Tensor& projection, const Tensor& hidden_weight,
                             const std::optional<Tensor>& hidden_bias, const SequenceState& first,
                             const SequenceOptions& options = {});

/// The same for kernels::gru_forward: 3 N columns in the order r z n. Throws ValueError for a first cell.
SequenceResult gru_sequence(const Tensor& projection, const Tensor& hidden_weight,
                            const std::optional<Tensor>& hidden_bias, const SequenceState& first,
                            kernels::GruReset reset, const SequenceOptions& options = {});

}  // namespace lookback
