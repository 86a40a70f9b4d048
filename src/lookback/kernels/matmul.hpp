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
  std::int64_t inner = 0;  ///< K; 0 gives zeros
  bool transpose_a = false;
  bool transpose_b = false;
};

enum class MatmulKernel {
  naive,  ///< three loops
  tiled,  ///< register tiles over simd.hpp
};

/// The product by the best kernel for these sizes. Overwrites output, which may alias neither operand.
/// Sums in f32; NaN and infinities propagate as IEEE 754 says.
void matmul(const float* a, const float* b, float* output, const MatmulSizes& sizes);

/// The same by a kernel chosen by name.
void matmul_with(MatmulKernel kernel, const float* a, const float* b, float* output, const MatmulSizes& sizes);

/// Inner product of two rows of n numbers.
float dot(const float* a, const float* b, std::int64_t n);

}  // namespace lookback::kernels
