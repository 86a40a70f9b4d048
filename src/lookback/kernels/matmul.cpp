// SPDX-License-Identifier: MIT
// Matrix products: three loops, and 4 x 8 register tiles.
#include "lookback/kernels/matmul.hpp"

#include <algorithm>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

namespace {

constexpr std::int64_t kTileRows = 4;
constexpr std::int64_t kTileCols = 8;

/// Where element (i, j) of an operand lies: i * row + j * col.
struct Strides {
  std::int64_t row;
  std::int64_t col;
};

Strides strides_of_a(const MatmulSizes& s) { return s.transpose_a ? Strides{1, s.rows} : Strides{s.inner, 1}; }
Strides strides_of_b(const MatmulSizes& s) { return s.transpose_b ? Strides{1, s.inner} : Strides{s.cols, 1}; }

float element(const float* a, const float* b, Strides sa, Strides sb, std::int64_t i, std::int64_t j,
              std::int64_t inner) {
  float sum = 0.0f;
  for (std::int64_t k = 0; k < inner; ++k) sum += a[i * sa.row + k * sa.col] * b[k * sb.row + j * sb.col];
  return sum;
}

void matmul_naive(const float* a, const float* b, float* output, const MatmulSizes& s) {
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.cols; ++j) {
      output[i * s.cols + j] = element(a, b, strides_of_a(s), strides_of_b(s), i, j, s.inner);
    }
  }
}

/// Rows [row, row + 4) and columns [col, col + 8) of the output; b's rows are contiguous.
void tile(const float* a, Strides sa, const float* b, float* output, const MatmulSizes& s, std::int64_t row,
          std::int64_t col) {
  F32x4 sums[kTileRows][2];
  for (auto& pair : sums) pair[0] = pair[1] = splat(0.0f);
  for (std::int64_t k = 0; k < s.inner; ++k) {
    const float* b_row = b + k * s.cols + col;
    const F32x4 left = load(b_row);
    const F32x4 right = load(b_row + 4);
    for (std::int64_t i = 0; i < kTileRows; ++i) {
      const F32x4 factor = splat(a[(row + i) * sa.row + k * sa.col]);
      sums[i][0] = mul_add(factor, left, sums[i][0]);
      sums[i][1] = mul_add(factor, right, sums[i][1]);
    }
  }
  for (std::int64_t i = 0; i < kTileRows; ++i) {
    store(output + (row + i) * s.cols + col, sums[i][0]);
    store(output + (row + i) * s.cols + col + 4, sums[i][1]);
  }
}

/// Row i of the output as sums of b's rows, for what the tiles leave over.
void row_as_sum_of_rows(const float* a, Strides sa, const float* b, float* output, const MatmulSizes& s, std::int64_t i,
                        std::int64_t first_col) {
  float* out = output + i * s.cols;
  std::fill(out + first_col, out + s.cols, 0.0f);
  for (std::int64_t k = 0; k < s.inner; ++k) {
    const float factor = a[i * sa.row + k * sa.col];
    const float* b_row = b + k * s.cols;
    for (std::int64_t j = first_col; j < s.cols; ++j) out[j] += factor * b_row[j];
  }
}

void matmul_rows_of_b(const float* a, const float* b, float* output, const MatmulSizes& s) {
  const Strides sa = strides_of_a(s);
  const std::int64_t full_rows = s.rows - s.rows % kTileRows;
  const std::int64_t full_cols = s.cols - s.cols % kTileCols;
  for (std::int64_t row = 0; row < full_rows; row += kTileRows) {
    for (std::int64_t col = 0; col < full_cols; col += kTileCols) tile(a, sa, b, output, s, row, col);
    for (std::int64_t i = row; i < row + kTileRows; ++i) row_as_sum_of_rows(a, sa, b, output, s, i, full_cols);
  }
  for (std::int64_t i = full_rows; i < s.rows; ++i) row_as_sum_of_rows(a, sa, b, output, s, i, 0);
}

void matmul_dots(const float* a, const float* b, float* output, const MatmulSizes& s) {
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.cols; ++j) output[i * s.cols + j] = dot(a + i * s.inner, b + j * s.inner, s.inner);
  }
}

void matmul_tiled(const float* a, const float* b, float* output, const MatmulSizes& s) {
  if (!s.transpose_b) return matmul_rows_of_b(a, b, output, s);
  if (!s.transpose_a) return matmul_dots(a, b, output, s);
  matmul_naive(a, b, output, s);
}

}  // namespace

float dot(const float* a, const float* b, std::int64_t n) {
  F32x4 sums[4] = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
  std::int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    for (int lane = 0; lane < 4; ++lane) {
      sums[lane] = mul_add(load(a + i + 4 * lane), load(b + i + 4 * lane), sums[lane]);
    }
  }
  float sum = horizontal_sum(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void matmul(const float* a, const float* b, float* output, const MatmulSizes& sizes) {
  matmul_with(MatmulKernel::tiled, a, b, output, sizes);
}

void matmul_with(MatmulKernel kernel, const float* a, const float* b, float* output, const MatmulSizes& sizes) {
  switch (kernel) {
    case MatmulKernel::naive: return matmul_naive(a, b, output, sizes);
    case MatmulKernel::tiled: return matmul_tiled(a, b, output, sizes);
  }
}

}  // namespace lookback::kernels
