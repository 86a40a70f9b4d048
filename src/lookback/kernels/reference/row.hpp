// SPDX-License-Identifier: MIT
// Softmax, norms and activations of one row in double, by their definitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lookback::kernels::reference {

using Row = std::vector<double>;

/// exp(x_i) / sum exp(x_j); a row of -infinity only gives zeros.
inline Row softmax(const Row& x) {
  Row output(x.size(), 0.0);
  if (x.empty()) return output;
  const double top = *std::max_element(x.begin(), x.end());
  if (top == -std::numeric_limits<double>::infinity()) return output;
  double sum = 0.0;
  for (double value : x) sum += std::exp(value - top);
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = std::exp(x[i] - top) / sum;
  return output;
}

inline Row log_softmax(const Row& x) {
  const Row p = softmax(x);
  Row output(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = std::log(p[i]);
  return output;
}

inline double mean(const Row& x) {
  double sum = 0.0;
  for (double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

inline Row layer_norm(const Row& x, const Row& weight, const Row& bias, double epsilon) {
  const double m = mean(x);
  Row squares(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) squares[i] = (x[i] - m) * (x[i] - m);
  const double deviation = std::sqrt(mean(squares) + epsilon);
  Row output(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = (x[i] - m) / deviation * weight[i] + bias[i];
  return output;
}

inline Row rms_norm(const Row& x, const Row& weight, double epsilon) {
  Row squares(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) squares[i] = x[i] * x[i];
  const double root = std::sqrt(mean(squares) + epsilon);
  Row output(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = x[i] / root * weight[i];
  return output;
}

inline double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
inline double swish(double x, double alpha) { return x * sigmoid(alpha * x); }
inline double gelu_erf(double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); }
inline double gelu_tanh(double x) {
  const double pi = std::acos(-1.0);
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / pi) * (x + 0.044715 * x * x * x)));
}

}  // namespace lookback::kernels::reference
