// SPDX-License-Identifier: MIT
// The kernels behind matmul, one file each. Internal: callers choose by MatmulKernel. No extent is 0.
#pragma once

#include "lookback/kernels/matmul.hpp"

namespace lookback::kernels {

/// M = 1 or N = 1.
void matmul_row(const float* a, const float* b, float* output, const MatmulSizes& sizes, const MatmulExtras& extras);

/// Any sizes. Operands are packed when pack_all is set, otherwise only where a tile can't read them.
std::int64_t matmul_tiled_scratch(const MatmulSizes& sizes);
void matmul_tiled(const float* a, const float* b, float* output, const MatmulSizes& sizes, float* scratch,
                  const MatmulExtras& extras, bool pack_all);

}  // namespace lookback::kernels
