// SPDX-License-Identifier: MIT
// The naive matrix product in double: the oracle of every faster one.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/kernels/matmul.hpp"

namespace lookback::kernels::reference {

/// a b by its definition, operands as in kernels::matmul, sums in double.
inline std::vector<double> matmul(const float* a, const float* b, const MatmulSizes& s) {
  std::vector<double> output(static_cast<std::size_t>(s.rows * s.cols));
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.cols; ++j) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < s.inner; ++k) {
        const float left = s.transpose_a ? a[k * s.rows + i] : a[i * s.inner + k];
        const float right = s.transpose_b ? b[j * s.inner + k] : b[k * s.cols + j];
        sum += static_cast<double>(left) * static_cast<double>(right);
      }
      output[static_cast<std::size_t>(i * s.cols + j)] = sum;
    }
  }
  return output;
}

}  // namespace lookback::kernels::reference
