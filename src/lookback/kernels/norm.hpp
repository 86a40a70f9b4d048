// SPDX-License-Identifier: MIT
// Layer normalisation and root-mean-square normalisation, one row at a time.
#pragma once

#include <cstdint>

namespace lookback::kernels {

struct RowMoments {
  float mean = 0.0f;
  float inverse_deviation = 0.0f;  ///< 1 / sqrt(variance + epsilon)
};

/// output_i = (x_i - mean) / sqrt(variance + epsilon) * weight_i + bias_i; the variance divides by n.
/// x, output [n] may be the same buffer; weight, bias [n] or null for 1 and 0. A constant row gives exactly the bias,
/// whatever epsilon is.
/// Ba, Kiros, Hinton, "Layer Normalization", 2016.
RowMoments layer_norm_row(const float* x, const float* weight, const float* bias, float epsilon, float* output,
                          std::int64_t n);

/// output_i = x_i / sqrt(mean(x^2) + epsilon) * weight_i; weight [n] or null for 1. The same aliasing; a row of zeros
/// gives zeros. Zhang, Sennrich, "Root Mean Square Layer Normalization", 2019.
void rms_norm_row(const float* x, const float* weight, float epsilon, float* output, std::int64_t n);

}  // namespace lookback::kernels
