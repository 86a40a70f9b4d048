// SPDX-License-Identifier: MIT
// One row times a matrix (or a matrix times one column, the same thing transposed): memory sets the pace, so the
// matrix is read once, in eight streams that lie an eighth of it apart and go from beginning to end, which prefetchers
// like: neighbouring rows are read at two thirds of the speed.
#include <algorithm>

#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

namespace {

constexpr int kStreams = 8;

/// output [n] += sum over kCount rows of b, row i times x[i * x_stride].
template <int kCount>
void add_rows(const float* x, std::int64_t x_stride, const float* b, std::int64_t stride, float* output,
              std::int64_t n) {
  Vec factors[kCount];
  for (int i = 0; i < kCount; ++i) factors[i] = splat(x[i * x_stride]);
  std::int64_t j = 0;
  for (; j + 2 * kLanes <= n; j += 2 * kLanes) {
    Vec left[] = {load(output + j), splat(0.0f)};
    Vec right[] = {load(output + j + kLanes), splat(0.0f)};
    for (int i = 0; i < kCount; ++i) {
      const float* const row = b + i * stride + j;
      left[i % 2] = mul_add(factors[i], load(row), left[i % 2]);
      right[i % 2] = mul_add(factors[i], load(row + kLanes), right[i % 2]);
    }
    store(output + j, add(left[0], left[1]));
    store(output + j + kLanes, add(right[0], right[1]));
  }
  for (; j < n; ++j) {
    for (int i = 0; i < kCount; ++i) output[j] += x[i * x_stride] * b[i * stride + j];
  }
}

/// put(j, x . row j) for every row.
template <typename Put>
void each_dot(const float* x, const float* rows, std::int64_t stride, std::int64_t count, std::int64_t n, Put put) {
  const std::int64_t part = count / kStreams;
  for (std::int64_t j = 0; j < part; ++j) {
    const float* const first = rows + j * stride;
    Vec sums[kStreams];
    for (Vec& sum : sums) sum = splat(0.0f);
    std::int64_t k = 0;
    // Two vectors of a stream at a time: with one, less of the memory is on its way.
    for (; k + 2 * kLanes <= n; k += 2 * kLanes) {
      const Vec left = load(x + k);
      const Vec right = load(x + k + kLanes);
      for (int i = 0; i < kStreams; ++i) {
        const float* const row = first + i * part * stride + k;
        sums[i] = mul_add(right, load(row + kLanes), mul_add(left, load(row), sums[i]));
      }
    }
    for (int i = 0; i < kStreams; ++i) {
      float sum = horizontal_sum(sums[i]);
      for (std::int64_t rest = k; rest < n; ++rest) sum += x[rest] * first[i * part * stride + rest];
      put(i * part + j, sum);
    }
  }
  for (std::int64_t j = kStreams * part; j < count; ++j) put(j, dot(x, rows + j * stride, n));
}

}  // namespace

void add_weighted_rows(const float* weights, const float* rows, std::int64_t stride, std::int64_t count, float* output,
                       std::int64_t n) {
  const std::int64_t part = count / kStreams;
  for (std::int64_t k = 0; k < part; ++k) {
    add_rows<kStreams>(weights + k, part, rows + k * stride, part * stride, output, n);
  }
  for (std::int64_t k = kStreams * part; k < count; ++k) {
    add_rows<1>(weights + k, 1, rows + k * stride, stride, output, n);
  }
}

void dots(const float* x, const float* rows, std::int64_t stride, std::int64_t count, std::int64_t n, float* output) {
  each_dot(x, rows, stride, count, n, [output](std::int64_t j, float sum) { output[j] = sum; });
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
  const auto first = [&](std::int64_t j) {
    const float bias = extras.bias ? extras.bias[s.rows == 1 ? j : 0] : 0.0f;
    return extras.accumulate ? output[j] + bias : bias;
  };
  if (is_transposed) {
    return each_dot(x, matrix, s.inner, n, s.inner, [&](std::int64_t j, float sum) { output[j] = first(j) + sum; });
  }
  for (std::int64_t j = 0; j < n; ++j) output[j] = first(j);
  add_weighted_rows(x, matrix, n, s.inner, output, n);
}

}  // namespace lookback::kernels
