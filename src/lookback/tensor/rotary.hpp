// SPDX-License-Identifier: MIT
// Turning pairs of features.
#pragma once

#include "lookback/kernels/rotary.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// Turns the first R features of x [.., T, K] in pairs by the angles of tables cos, sin [T, R/2], or [B, T, R/2] for x
/// [B, .., T, K]; the rest stays. The tables are constants. Shapes are the caller's care: see
/// attention::rotary_from_tables.
Tensor rotate_pairs(const Tensor& x, const Tensor& cos, const Tensor& sin, kernels::RotaryPairing pairing);

}  // namespace lookback
