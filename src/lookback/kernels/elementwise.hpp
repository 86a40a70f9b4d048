// SPDX-License-Identifier: MIT
// Sums and products of rows. A step of 0 repeats one number along the row, a step of 1 walks along it.
#pragma once

#include <cstdint>

namespace lookback::kernels {

enum class PairOp { add, subtract, multiply };

/// output_i = a_i op b_i. Output [n] may be either operand.
void pair_row(PairOp op, const float* a, std::int64_t step_a, const float* b, std::int64_t step_b, float* output,
              std::int64_t n);

/// into_i += factor x_i.
void accumulate(float* into, const float* x, float factor, std::int64_t n);

/// into_i += factor x_i y_i; with step_into 0 the sum over i is added to one number. y may be null for 1.
void accumulate_product(float* into, std::int64_t step_into, const float* x, const float* y, std::int64_t step_y,
                        float factor, std::int64_t n);

/// into_j += sum_i x_ij for x [rows, cols].
void accumulate_rows(float* into, const float* x, std::int64_t rows, std::int64_t cols);

/// In double: the order of a long sum should not matter.
float sum_row(const float* x, std::int64_t n);

}  // namespace lookback::kernels
