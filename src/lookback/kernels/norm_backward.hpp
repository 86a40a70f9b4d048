// SPDX-License-Identifier: MIT
// Gradients of the row normalisations. All d_ results are added to; each may be null.
#pragma once

#include <cstdint>

#include "lookback/kernels/norm.hpp"

namespace lookback::kernels {

/// With h = (x - mean) inverse_deviation and g = d_y weight:
/// d_x += inverse_deviation (g - mean(g) - h mean(g h)), d_weight += d_y h, d_bias += d_y.
/// x, weight (or null), d_y, d_x, d_weight, d_bias [n]; moments as layer_norm_row gave them.
void layer_norm_backward_row(const float* x, const float* weight, RowMoments moments, const float* d_y, float* d_x,
                             float* d_weight, float* d_bias, std::int64_t n);

/// With r = 1 / sqrt(mean(x^2) + epsilon) and g = d_y weight: d_x += r g - x r^3 mean(g x), d_weight += d_y x r.
void rms_norm_backward_row(const float* x, const float* weight, float epsilon, const float* d_y, float* d_x,
                           float* d_weight, std::int64_t n);

}  // namespace lookback::kernels
