// SPDX-License-Identifier: MIT
// Which kernel multiplies, and the three loops that need no choice.
#include "lookback/kernels/matmul.hpp"

#include "lookback/core/check.hpp"
#include "lookback/kernels/matmul_kernels.hpp"

namespace lookback::kernels {

namespace {

void matmul_naive(const float* a, const float* b, float* output, const MatmulSizes& s, const MatmulExtras& extras) {
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.cols; ++j) {
      float sum = extras.bias ? extras.bias[j] : 0.0f;
      for (std::int64_t k = 0; k < s.inner; ++k) {
        sum +=
            a[s.transpose_a ? k * s.rows + i : i * s.inner + k] * b[s.transpose_b ? j * s.inner + k : k * s.cols + j];
      }
      float& result = output[i * s.cols + j];
      result = extras.accumulate ? result + sum : sum;
    }
  }
}

}  // namespace

bool can_matmul_with(MatmulKernel kernel, const MatmulSizes& s) {
  switch (kernel) {
    case MatmulKernel::naive: return true;
    case MatmulKernel::row: return (s.rows == 1 || s.cols == 1) && s.inner > 0;
    case MatmulKernel::direct:
    case MatmulKernel::packed: return s.inner > 0;
  }
  return false;
}

MatmulKernel best_matmul_kernel(const MatmulSizes& s) {
  if (s.inner == 0) return MatmulKernel::naive;
  if (s.rows == 1 || s.cols == 1) return MatmulKernel::row;
  // Packing repays when a panel is read often and the operands overflow the first cache.
  constexpr std::int64_t kFewRows = 8;
  constexpr std::int64_t kSmall = 8192;
  const bool is_small = s.rows * s.inner <= kSmall && s.cols * s.inner <= kSmall;
  return is_small || s.rows <= kFewRows ? MatmulKernel::direct : MatmulKernel::packed;
}

std::int64_t matmul_scratch(const MatmulSizes& s) {
  return best_matmul_kernel(s) == MatmulKernel::row ? 0 : matmul_tiled_scratch(s);
}

void matmul(const float* a, const float* b, float* output, const MatmulSizes& s, float* scratch,
            const MatmulExtras& extras) {
  matmul_with(best_matmul_kernel(s), a, b, output, s, scratch, extras);
}

void matmul_with(MatmulKernel kernel, const float* a, const float* b, float* output, const MatmulSizes& s,
                 float* scratch, const MatmulExtras& extras) {
  LOOKBACK_ASSERT(can_matmul_with(kernel, s));
  if (s.rows == 0 || s.cols == 0) return;
  switch (kernel) {
    case MatmulKernel::naive: return matmul_naive(a, b, output, s, extras);
    case MatmulKernel::row: return matmul_row(a, b, output, s, extras);
    case MatmulKernel::direct: return matmul_tiled(a, b, output, s, scratch, extras, false);
    case MatmulKernel::packed: return matmul_tiled(a, b, output, s, scratch, extras, true);
  }
}

}  // namespace lookback::kernels
