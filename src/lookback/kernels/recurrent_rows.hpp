// SPDX-License-Identifier: MIT
// What the recurrent kernels share: rows by vectors, places of states, products of a whole step. Internal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lookback/kernels/matmul.hpp"
#include "lookback/kernels/recurrent.hpp"
#include "lookback/kernels/simd.hpp"

namespace lookback::kernels::recurrent {

/// The first `count` numbers of a row, zeros behind them; apart, so that the many calls stay small.
Vec load_part(const float* row, std::int64_t count);
void store_part(float* row, std::int64_t count, Vec x);

/// The same few numbers of several rows: kLanes of them, or what is left at the end.
struct Lanes {
  std::int64_t at = 0;
  std::int64_t count = 0;

  Vec of(const float* row) const { return count == kLanes ? load(row + at) : load_part(row + at, count); }
  void put(float* row, Vec x) const {
    if (count == kLanes)
      store(row + at, x);
    else
      store_part(row + at, count, x);
  }
};

template <typename Function>
void for_lanes(std::int64_t n, const Function& function) {
  for (std::int64_t at = 0; at < n; at += kLanes) function(Lanes{at, std::min<std::int64_t>(kLanes, n - at)});
}

/// 1 - x
inline Vec rest_of(Vec x) { return sub(splat(1.0f), x); }
/// d_y y (1 - y): back through y = sigmoid.
inline Vec sigmoid_gradient(Vec y, Vec d_y) { return mul(d_y, mul(y, rest_of(y))); }
/// d_y (1 - y^2): back through y = tanh.
inline Vec tanh_gradient(Vec y, Vec d_y) { return mul(d_y, rest_of(mul(y, y))); }

inline bool is_active(const RecurrentRun& run, std::int64_t item, std::int64_t t) {
  return !run.lengths || t < run.lengths[item];
}

/// The t of the run's step number `count`.
inline std::int64_t step_at(const RecurrentRun& run, std::int64_t count) {
  return run.is_reversed ? run.steps - 1 - count : count;
}

/// Offset in [T + 1, B, N] of an item's state before step t, and after it.
inline std::int64_t before(const RecurrentRun& run, std::int64_t item, std::int64_t t) {
  return ((t + (run.is_reversed ? 1 : 0)) * run.batch + item) * run.width;
}
inline std::int64_t after(const RecurrentRun& run, std::int64_t item, std::int64_t t) {
  return ((t + (run.is_reversed ? 0 : 1)) * run.batch + item) * run.width;
}

/// output [rows, cols] = x [rows, N] weight [N, cols] + bias.
struct StepProduct {
  MatmulSizes sizes;
  StepProduct(const RecurrentRun& run, std::int64_t cols) : sizes{run.batch, cols, run.width} {}
  std::int64_t scratch() const { return matmul_scratch(sizes); }
  void compute(const float* x, const float* weight, const float* bias, float* output, float* scratch) const {
    matmul(x, weight, output, sizes, scratch, {.bias = bias});
  }
};

/// d_x [rows, N] (+)= d_y [rows, cols] weight^T.
struct StepProductBack {
  MatmulSizes sizes;
  StepProductBack(const RecurrentRun& run, std::int64_t cols)
      : sizes{.rows = run.batch, .cols = run.width, .inner = cols, .transpose_a = false, .transpose_b = true} {}
  std::int64_t scratch() const { return matmul_scratch(sizes); }
  void compute(const float* d_y, const float* weight, bool accumulate, float* d_x, float* scratch) const {
    matmul(d_y, weight, d_x, sizes, scratch, {.bias = nullptr, .accumulate = accumulate});
  }
};

/// d_weight [N, cols] (+)= x^T d_y over all steps: x [T B, N], d_y [T B, cols].
struct WeightProduct {
  MatmulSizes sizes;
  WeightProduct(const RecurrentRun& run, std::int64_t cols)
      : sizes{.rows = run.width, .cols = cols, .inner = run.steps * run.batch, .transpose_a = true} {}
  std::int64_t scratch() const { return matmul_scratch(sizes); }
  void compute(const float* x, const float* d_y, bool accumulate, float* d_weight, float* scratch) const {
    matmul(x, d_y, d_weight, sizes, scratch, {.bias = nullptr, .accumulate = accumulate});
  }
};

/// For each item: active(item, row) with its row of [B, T, ..] at step t, or idle(item, row) beyond its length.
template <typename Active, typename Idle>
void for_items(const RecurrentRun& run, std::int64_t t, const Active& active, const Idle& idle) {
  for (std::int64_t item = 0; item < run.batch; ++item) {
    const std::int64_t row = item * run.steps + t;
    if (is_active(run, item, t))
      active(item, row);
    else
      idle(item, row);
  }
}

/// The row of a tensor of rows of n numbers, or null when there is no tensor.
inline const float* row_of(const float* x, std::int64_t row, std::int64_t n) { return x ? x + row * n : nullptr; }

/// sums [cols] += every row of x [rows, cols].
inline void add_rows(const float* x, std::int64_t rows, std::int64_t cols, float* sums) {
  for (std::int64_t row = 0; row < rows; ++row, x += cols) {
    for_lanes(cols, [&](Lanes lanes) { lanes.put(sums, add(lanes.of(sums), lanes.of(x))); });
  }
}

/// sums [n] += x, where anybody wants them.
inline void add_to(float* sums, const float* x, std::int64_t n) {
  if (sums) add_rows(x, 1, n, sums);
}

/// x [n], or zeros where there is nothing.
inline void copy_or_zero(const float* x, float* output, std::int64_t n) {
  if (x)
    std::copy_n(x, n, output);
  else
    std::fill_n(output, n, 0.0f);
}

}  // namespace lookback::kernels::recurrent
