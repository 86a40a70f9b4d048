// SPDX-License-Identifier: MIT
// Softmax and its logarithm, one row at a time.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// output_i = exp((x_i - m) / temperature) / sum_j exp((x_j - m) / temperature) with m = max x, so that neither large
/// logits nor a small temperature overflow. The temperature is above 0.
/// x and output [n] may be the same buffer. A row of -infinity only (every key masked) and n = 0 give zeros; +infinity
/// shares the weight among the infinite entries; NaN anywhere gives NaN everywhere.
void softmax_row(const float* x, float* output, std::int64_t n, float temperature = 1.0f);

/// output_i = x_i - m - log sum_j exp(x_j - m). The same aliasing; a row of -infinity only stays -infinity.
void log_softmax_row(const float* x, float* output, std::int64_t n);

/// Index of the largest entry, the lowest on a tie; NaN is never chosen. -1 when there is none.
std::int64_t argmax_row(const float* x, std::int64_t n);

}  // namespace lookback::kernels
