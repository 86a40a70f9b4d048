// SPDX-License-Identifier: MIT
// The two forms of GRU, by where the reset gate acts. Internal; recurrent.hpp has the contract.
#pragma once

#include "lookback/kernels/recurrent.hpp"

namespace lookback::kernels {

std::int64_t gru_after_scratch(const RecurrentRun& run);
void gru_after_forward(const RecurrentRun& run, const float* projection, const RecurrentWeights& weights,
                       const GruTrace& trace, float* output, float* scratch);
std::int64_t gru_after_backward_scratch(const RecurrentRun& run);
void gru_after_backward(const RecurrentRun& run, const RecurrentWeights& weights, const GruTrace& trace,
                        const GruOutputGradients& incoming, const GruInputGradients& outgoing, float* scratch);

std::int64_t gru_before_scratch(const RecurrentRun& run);
void gru_before_forward(const RecurrentRun& run, const float* projection, const RecurrentWeights& weights,
                        const GruTrace& trace, float* output, float* scratch);
std::int64_t gru_before_backward_scratch(const RecurrentRun& run);
void gru_before_backward(const RecurrentRun& run, const RecurrentWeights& weights, const GruTrace& trace,
                         const GruOutputGradients& incoming, const GruInputGradients& outgoing, float* scratch);

}  // namespace lookback::kernels
