// SPDX-License-Identifier: MIT
// The kernels behind matmul and their parts. Internal: callers choose by MatmulKernel. No extent of a product is 0.
#pragma once

#include "lookback/kernels/matmul.hpp"

namespace lookback::kernels {

/// M = 1 or N = 1.
void matmul_row(const float* a, const float* b, float* output, const MatmulSizes& sizes, const MatmulExtras& extras);

/// Any sizes. Operands are packed when pack_all is set, otherwise only where a tile can't read them.
std::int64_t matmul_tiled_scratch(const MatmulSizes& sizes);
void matmul_tiled(const float* a, const float* b, float* output, const MatmulSizes& sizes, float* scratch,
                  const MatmulExtras& extras, bool pack_all);

/// output [n] += sum_i weights_i rows_i, the rows `stride` apart.
void add_weighted_rows(const float* weights, const float* rows, std::int64_t stride, std::int64_t count, float* output,
                       std::int64_t n);

/// output_i = x . rows_i for `count` rows of n numbers, `stride` apart.
void dots(const float* x, const float* rows, std::int64_t stride, std::int64_t count, std::int64_t n, float* output);

/// panel[k * pitch + c] = x[c * stride + k]: `width` runs of `inner` numbers side by side.
void pack_transposed(const float* x, std::int64_t stride, std::int64_t inner, std::int64_t width, std::int64_t pitch,
                     float* panel);

}  // namespace lookback::kernels
