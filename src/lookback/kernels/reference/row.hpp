// SPDX-License-Identifier: MIT
// Softmax, norms and activations of one row by their definitions, for double and for dual numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lookback::kernels::reference {

using Row = std::vector<double>;

/// exp(x_i) / sum exp(x_j); a row of -infinity only gives zeros.
template <typename Number>
std::vector<Number> softmax(const std::vector<Number>& x) {
  using std::exp;
  std::vector<Number> output(x.size(), 0.0);
  if (x.empty()) return output;
  const Number top = *std::max_element(x.begin(), x.end());
  if (top == -std::numeric_limits<double>::infinity()) return output;
  Number sum = 0.0;
  for (const Number& value : x) sum += exp(value - top);
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = exp(x[i] - top) / sum;
  return output;
}

template <typename Number>
std::vector<Number> log_softmax(const std::vector<Number>& x) {
  using std::log;
  std::vector<Number> output = softmax(x);
  for (Number& p : output) p = log(p);
  return output;
}

template <typename Number>
Number mean(const std::vector<Number>& x) {
  Number sum = 0.0;
  for (const Number& value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

template <typename Number>
std::vector<Number> layer_norm(const std::vector<Number>& x, const std::vector<Number>& weight,
                               const std::vector<Number>& bias, double epsilon) {
  using std::sqrt;
  const Number m = mean(x);
  std::vector<Number> squares(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) squares[i] = (x[i] - m) * (x[i] - m);
  const Number deviation = sqrt(mean(squares) + epsilon);
  std::vector<Number> output(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = (x[i] - m) / deviation * weight[i] + bias[i];
  return output;
}

template <typename Number>
std::vector<Number> rms_norm(const std::vector<Number>& x, const std::vector<Number>& weight, double epsilon) {
  using std::sqrt;
  std::vector<Number> squares(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) squares[i] = x[i] * x[i];
  const Number root = sqrt(mean(squares) + epsilon);
  std::vector<Number> output(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) output[i] = x[i] / root * weight[i];
  return output;
}

template <typename Number>
Number sigmoid(Number x) {
  using std::exp;
  return 1.0 / (1.0 + exp(-x));
}

template <typename Number>
Number swish(Number x, double alpha) {
  return x * sigmoid(alpha * x);
}

template <typename Number>
Number gelu_erf(Number x) {
  using std::erf;
  return 0.5 * x * (1.0 + erf(x / std::sqrt(2.0)));
}

template <typename Number>
Number gelu_tanh(Number x) {
  using std::tanh;
  return 0.5 * x * (1.0 + tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

}  // namespace lookback::kernels::reference
