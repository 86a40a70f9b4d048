// SPDX-License-Identifier: MIT
// One row times a matrix (or a matrix times one column, the same thing transposed): memory sets the pace, so the
// matrix is read once, front to back, several rows at a time.
#include <algorithm>

#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

namespace {

constexpr int kStreams = 8;

/// output [n] = or += sum over kCount rows of b, row i times x[i].
template <int kCount>
void add_rows(const float* x, const float* b, std::int64_t stride, float* output, std::int64_t n) {
  Vec factors[kCount];
  for (int i = 0; i < kCount; ++i) factors[i] = splat(x[i]);
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    Vec even = load(output + j);
    Vec odd = splat(0.0f);
    for (int i = 0; i < kCount; i += 2) {
      even = mul_add(factors[i], load(b + i * stride + j), even);
      if (i + 1 < kCount) odd = mul_add(factors[i + 1], load(b + (i + 1) * stride + j), odd);
    }
    store(output + j, add(even, odd));
  }
  for (; j < n; ++j) {
    for (int i = 0; i < kCount; ++i) output[j] += x[i] * b[i * stride + j];
  }
}

/// Four inner products with one pass over x.
void four_dots(const float* x, const float* rows, std::int64_t stride, std::int64_t n, float* sums) {
  Vec vectors[4][2];
  for (auto& pair : vectors) pair[0] = pair[1] = splat(0.0f);
  std::int64_t k = 0;
  for (; k + 2 * kLanes <= n; k += 2 * kLanes) {
    const Vec left = load(x + k);
    const Vec right = load(x + k + kLanes);
    for (int i = 0; i < 4; ++i) {
      vectors[i][0] = mul_add(left, load(rows + i * stride + k), vectors[i][0]);
      vectors[i][1] = mul_add(right, load(rows + i * stride + k + kLanes), vectors[i][1]);
    }
  }
  for (int i = 0; i < 4; ++i) {
    sums[i] = horizontal_sum(add(vectors[i][0], vectors[i][1]));
    for (std::int64_t rest = k; rest < n; ++rest) sums[i] += x[rest] * rows[i * stride + rest];
  }
}

}  // namespace

void add_weighted_rows(const float* weights, const float* rows, std::int64_t stride, std::int64_t count, float* output,
                       std::int64_t n) {
  std::int64_t k = 0;
  for (; k + kStreams <= count; k += kStreams) add_rows<kStreams>(weights + k, rows + k * stride, stride, output, n);
  for (; k < count; ++k) add_rows<1>(weights + k, rows + k * stride, stride, output, n);
}

void dots(const float* x, const float* rows, std::int64_t stride, std::int64_t count, std::int64_t n, float* output) {
  std::int64_t j = 0;
  for (; j + 4 <= count; j += 4) four_dots(x, rows + j * stride, stride, n, output + j);
  for (; j < count; ++j) output[j] = dot(x, rows + j * stride, n);
}

float dot(const float* a, const float* b, std::int64_t n) {
  Vec sums[4] = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    for (int v = 0; v < 4; ++v) sums[v] = mul_add(load(a + i + v * kLanes), load(b + i + v * kLanes), sums[v]);
  }
  float sum = horizontal_sum(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void matmul_row(const float* a, const float* b, float* output, const MatmulSizes& s, const MatmulExtras& extras) {
  const std::int64_t n = s.rows * s.cols;
  const float* x = s.rows == 1 ? a : b;
  const float* matrix = s.rows == 1 ? b : a;
  const bool is_transposed = s.rows == 1 ? s.transpose_b : !s.transpose_a;
  for (std::int64_t j = 0; j < n; ++j) {
    const float bias = extras.bias ? extras.bias[s.rows == 1 ? j : 0] : 0.0f;
    output[j] = extras.accumulate ? output[j] + bias : bias;
  }
  if (!is_transposed) return add_weighted_rows(x, matrix, n, s.inner, output, n);
  constexpr std::int64_t kBlock = 64;
  for (std::int64_t j = 0; j < n; j += kBlock) {
    const std::int64_t count = std::min(kBlock, n - j);
    float sums[kBlock];
    dots(x, matrix + j * s.inner, s.inner, count, s.inner, sums);
    for (std::int64_t i = 0; i < count; ++i) output[j + i] += sums[i];
  }
}

}  // namespace lookback::kernels
