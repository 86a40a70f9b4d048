// SPDX-License-Identifier: MIT
// The matrix product.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// output [M, N] = a [M, K] b [K, N], all row-major. A transposed operand is stored the other way: a as [K, M], b as
/// [N, K].
struct MatmulSizes {
  std::int64_t rows = 0;   ///< M
  std::int64_t cols = 0;   ///< N
  std::int64_t inner = 0;  ///< K; 0 gives zeros (plus bias, plus what was there)
  bool transpose_a = false;
  bool transpose_b = false;
};

/// What is added to the product on its way out.
struct MatmulExtras {
  const float* bias = nullptr;  ///< [N], the same for every row
  bool accumulate = false;      ///< adds to what output holds instead of overwriting it
};

enum class MatmulKernel {
  naive,   ///< three loops
  row,     ///< M = 1 or N = 1: streams the matrix once
  direct,  ///< register tiles on operands where they lie, b packed when it is transposed
  packed,  ///< register tiles on packed panels, blocked for the caches
};

/// The fastest kernel for these sizes, by measurement.
MatmulKernel best_matmul_kernel(const MatmulSizes& sizes);

/// True when the kernel can compute these sizes: see MatmulKernel.
bool can_matmul_with(MatmulKernel kernel, const MatmulSizes& sizes);

/// Floats of scratch that matmul needs for these sizes. at most 2^18 (1 MB), whatever the sizes.
std::int64_t matmul_scratch(const MatmulSizes& sizes);

/// The product by the best kernel. Output may alias neither operand, bias or scratch; scratch holds
/// matmul_scratch(sizes) floats. Sums in f32, in an order that depends on the sizes and the build; NaN and infinities
/// propagate as IEEE 754 says. Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008.
void matmul(const float* a, const float* b, float* output, const MatmulSizes& sizes, float* scratch,
            const MatmulExtras& extras = {});

/// The same by a kernel chosen by name, which must be able to (see can_matmul_with).
void matmul_with(MatmulKernel kernel, const float* a, const float* b, float* output, const MatmulSizes& sizes,
                 float* scratch, const MatmulExtras& extras = {});

/// Inner product of two rows of n numbers.
float dot(const float* a, const float* b, std::int64_t n);

}  // namespace lookback::kernels
