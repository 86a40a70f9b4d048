// SPDX-License-Identifier: MIT
// Recurrent layers, LSTM and GRU: one direction over a batch of sequences, and back. A single step is a run of T = 1.
// Letters here: B items, T steps, N numbers in a state.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// Sizes and order of a run. A step beyond its item's length leaves the item's state as it is and gives an output of
/// zeros: a reversed run so starts at each item's own last step, and an item of length 0 ends with its first state.
/// Nothing of the padding is read.
struct RecurrentRun {
  std::int64_t batch = 0;                 ///< B
  std::int64_t steps = 0;                 ///< T
  std::int64_t width = 0;                 ///< N
  bool is_reversed = false;               ///< from step T - 1 to step 0
  const std::int64_t* lengths = nullptr;  ///< [B], each from 0 to T; null: all are T
};

/// A run keeps every state in [T + 1, B, N]: step t goes from place t to t + 1, of a reversed run from t + 1 to t.
/// This is where the first state of a run lies, and where the last.
std::int64_t first_place(const RecurrentRun& run);
std::int64_t last_place(const RecurrentRun& run);

/// What a step adds to the input's projection, and the state before the first step. Null stands for zeros.
struct RecurrentWeights {
  const float* hidden_weight = nullptr;  ///< R: [N, 4 N] for LSTM, [N, 3 N] for GRU
  const float* hidden_bias = nullptr;    ///< b: [4 N] or [3 N]
};

/// What backward adds to. Null: not wanted.
struct RecurrentWeightGradients {
  float* d_hidden_weight = nullptr;
  float* d_hidden_bias = nullptr;
};

/// What backward needs of a forward run, in the caller's buffers. Gates of steps beyond an item's length are not
/// written.
struct LstmTrace {
  float* gates = nullptr;    ///< [B, T, 4 N]: i f g o after their functions; may be the projection itself
  float* hiddens = nullptr;  ///< [T + 1, B, N]; the caller fills in the first place
  float* cells = nullptr;    ///< the same
};

std::int64_t lstm_scratch(const RecurrentRun& run);

/// With p [B, T, 4 N] = x W + its bias, columns in the order i f g o, at every step
///   i, f, o = sigmoid(p + h R + b), g = tanh(p + h R + b), c' = f c + i g, h' = o tanh(c').
/// Overwrites the trace but for its first places, and output [B, T, N]; lstm_scratch(run) floats of scratch.
/// Hochreiter, Schmidhuber, "Long Short-Term Memory", 1997; Gers, Schmidhuber, Cummins 2000 (forget gate).
void lstm_forward(const RecurrentRun& run, const float* projection, const RecurrentWeights& weights,
                  const LstmTrace& trace, float* output, float* scratch);

/// Gradients that come in from what follows; null stands for zeros.
struct LstmOutputGradients {
  const float* d_output = nullptr;       ///< [B, T, N]
  const float* d_last_hidden = nullptr;  ///< [B, N]
  const float* d_last_cell = nullptr;    ///< [B, N]
};

/// Gradients that go out.
struct LstmInputGradients {
  float* d_projection = nullptr;         ///< [B, T, 4 N], overwritten
  RecurrentWeightGradients d_weights{};  ///< added to
  float* d_first_hidden = nullptr;       ///< [B, N], added to; null: not wanted
  float* d_first_cell = nullptr;         ///< [B, N], added to; null: not wanted
};

std::int64_t lstm_backward_scratch(const RecurrentRun& run);

/// Gradients of lstm_forward, through time from the last step to the first.
void lstm_backward(const RecurrentRun& run, const RecurrentWeights& weights, const LstmTrace& trace,
                   const LstmOutputGradients& incoming, const LstmInputGradients& outgoing, float* scratch);

/// Where the reset gate acts: on the state before R, as Cho et al. wrote it and ONNX has it, or on what R made of it,
/// as cuDNN and PyTorch do (linear_before_reset). The two are different models.
enum class GruReset { before, after };

struct GruTrace {
  float* gates = nullptr;       ///< [B, T, 3 N]: r z n after their functions; may be the projection itself
  float* candidates = nullptr;  ///< [B, T, N]: h R_n + b_n; null for GruReset::before
  float* hiddens = nullptr;     ///< [T + 1, B, N]; the caller fills in the first place
};

std::int64_t gru_scratch(const RecurrentRun& run, GruReset reset);

/// With p [B, T, 3 N] = x W + its bias, columns in the order r z n, at every step
///   r, z = sigmoid(p + h R + b), h' = (1 - z) n + z h,
///   before: n = tanh(p_n + (r h) R_n + b_n), after: n = tanh(p_n + r (h R_n + b_n)).
/// Overwrites the trace but for its first place, and output [B, T, N]; gru_scratch(run) floats of scratch.
/// Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014.
void gru_forward(const RecurrentRun& run, GruReset reset, const float* projection, const RecurrentWeights& weights,
                 const GruTrace& trace, float* output, float* scratch);

struct GruOutputGradients {
  const float* d_output = nullptr;       ///< [B, T, N]; null: zeros
  const float* d_last_hidden = nullptr;  ///< [B, N]; null: zeros
};

struct GruInputGradients {
  float* d_projection = nullptr;         ///< [B, T, 3 N], overwritten
  RecurrentWeightGradients d_weights{};  ///< added to
  float* d_first_hidden = nullptr;       ///< [B, N], added to; null: not wanted
};

std::int64_t gru_backward_scratch(const RecurrentRun& run, GruReset reset);

/// Gradients of gru_forward.
void gru_backward(const RecurrentRun& run, GruReset reset, const RecurrentWeights& weights, const GruTrace& trace,
                  const GruOutputGradients& incoming, const GruInputGradients& outgoing, float* scratch);

}  // namespace lookback::kernels
