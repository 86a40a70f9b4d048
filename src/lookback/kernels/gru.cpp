// SPDX-License-Identifier: MIT
// GRU: which of its two forms is meant.
#include "lookback/core/check.hpp"
#include "lookback/kernels/gru_kernels.hpp"

namespace lookback::kernels {

std::int64_t gru_scratch(const RecurrentRun& run, GruReset reset) {
  return reset == GruReset::before ? gru_before_scratch(run) : gru_after_scratch(run);
}

void gru_forward(const RecurrentRun& run, GruReset reset, const float* projection, const RecurrentWeights& weights,
                 const GruTrace& trace, float* output, float* scratch) {
  LOOKBACK_ASSERT(reset == GruReset::before || trace.candidates || run.batch * run.steps * run.width == 0);
  if (reset == GruReset::before) return gru_before_forward(run, projection, weights, trace, output, scratch);
  gru_after_forward(run, projection, weights, trace, output, scratch);
}

std::int64_t gru_backward_scratch(const RecurrentRun& run, GruReset reset) {
  return reset == GruReset::before ? gru_before_backward_scratch(run) : gru_after_backward_scratch(run);
}

void gru_backward(const RecurrentRun& run, GruReset reset, const RecurrentWeights& weights, const GruTrace& trace,
                  const GruOutputGradients& incoming, const GruInputGradients& outgoing, float* scratch) {
  if (reset == GruReset::before) return gru_before_backward(run, weights, trace, incoming, outgoing, scratch);
  gru_after_backward(run, weights, trace, incoming, outgoing, scratch);
}

}  // namespace lookback::kernels
