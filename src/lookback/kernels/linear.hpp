// SPDX-License-Identifier: MIT
// Rows times a weight matrix that stays in its file's type and layout.
#pragma once

#include <cstdint>

#include "lookback/kernels/weight.hpp"

namespace lookback::kernels {

/// In what the activations meet Q8_0 and Q4_0 weights; others always meet f32.
enum class Activations {
  f32,
  int8,  ///< quantised per block of 32 as well: several times faster, less exact (see prepare_row)
};

/// Floats of scratch that linear needs for T rows of `cols` numbers.
std::int64_t linear_scratch(std::int64_t num_rows, std::int64_t cols);

/// output [T, rows] = x [T, cols] weight^T. Overwrites output, which aliases nothing else. Sums in f32.
void linear(const float* x, std::int64_t num_rows, const WeightView& weight, float* output, float* scratch,
            Activations activations = Activations::f32);

}  // namespace lookback::kernels
