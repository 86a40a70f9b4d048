// SPDX-License-Identifier: MIT
// Loops that compilers vectorise when the steps are 1.
#include "lookback/kernels/elementwise.hpp"

namespace lookback::kernels {

namespace {

template <typename Function>
void pair(const float* a, std::int64_t step_a, const float* b, std::int64_t step_b, float* output, std::int64_t n,
          Function function) {
  if (step_a == 1 && step_b == 1) {
    for (std::int64_t i = 0; i < n; ++i) output[i] = function(a[i], b[i]);
  } else {
    for (std::int64_t i = 0; i < n; ++i) output[i] = function(a[i * step_a], b[i * step_b]);
  }
}

}  // namespace

void pair_row(PairOp op, const float* a, std::int64_t step_a, const float* b, std::int64_t step_b, float* output,
              std::int64_t n) {
  switch (op) {
    case PairOp::add: return pair(a, step_a, b, step_b, output, n, [](float x, float y) { return x + y; });
    case PairOp::subtract: return pair(a, step_a, b, step_b, output, n, [](float x, float y) { return x - y; });
    case PairOp::multiply: return pair(a, step_a, b, step_b, output, n, [](float x, float y) { return x * y; });
  }
}

void accumulate(float* into, const float* x, float factor, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) into[i] += factor * x[i];
}

void accumulate_product(float* into, std::int64_t step_into, const float* x, const float* y, std::int64_t step_y,
                        float factor, std::int64_t n) {
  if (step_into == 0) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i)
      sum += static_cast<double>(x[i]) * static_cast<double>(y ? y[i * step_y] : 1.0f);
    *into += factor * static_cast<float>(sum);
  } else if (!y) {
    accumulate(into, x, factor, n);
  } else if (step_y == 1) {
    for (std::int64_t i = 0; i < n; ++i) into[i] += factor * x[i] * y[i];
  } else {
    accumulate(into, x, factor * *y, n);
  }
}

void accumulate_rows(float* into, const float* x, std::int64_t rows, std::int64_t cols) {
  for (std::int64_t i = 0; i < rows; ++i) accumulate(into, x + i * cols, 1.0f, cols);
}

float sum_row(const float* x, std::int64_t n) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]);
  return static_cast<float>(sum);
}

}  // namespace lookback::kernels
