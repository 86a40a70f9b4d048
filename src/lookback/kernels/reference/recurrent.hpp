// SPDX-License-Identifier: MIT
// LSTM and GRU by their definitions, one sequence and one number at a time, for double and for dual numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace lookback::kernels::reference {

/// The weights of one direction: W [D, G N], R [N, G N], biases [G N] of G gates; an empty bias is zeros.
template <typename Number>
struct RecurrentWeights {
  std::vector<Number> input_weight;
  std::vector<Number> hidden_weight;
  std::vector<Number> input_bias;
  std::vector<Number> hidden_bias;
};

/// Output of every step and the state after the last; an LSTM also has cells.
template <typename Number>
struct RecurrentResult {
  std::vector<Number> output;  ///< [T, N]
  std::vector<Number> hidden;  ///< [N]
  std::vector<Number> cell;    ///< [N]
};

template <typename Number>
Number logistic(const Number& x) {
  using std::exp;
  return 1.0 / (1.0 + exp(-x));
}

/// bias_j + sum_k x_k weight_kj
template <typename Number>
Number affine(const std::vector<Number>& x, const std::vector<Number>& weight, const std::vector<Number>& bias,
              std::size_t cols, std::size_t j) {
  Number sum = bias.empty() ? Number(0.0) : bias[j];
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * weight[k * cols + j];
  return sum;
}

/// Columns of the gates in the order i f g o.
template <typename Number>
void lstm_step(const RecurrentWeights<Number>& w, const std::vector<Number>& x, std::vector<Number>& hidden,
               std::vector<Number>& cell) {
  using std::tanh;
  const std::size_t n = hidden.size();
  const std::vector<Number> h = hidden;
  const auto sum = [&](std::size_t j) {
    return affine(x, w.input_weight, w.input_bias, 4 * n, j) + affine(h, w.hidden_weight, w.hidden_bias, 4 * n, j);
  };
  for (std::size_t j = 0; j < n; ++j) {
    cell[j] = logistic(sum(n + j)) * cell[j] + logistic(sum(j)) * tanh(sum(2 * n + j));
    hidden[j] = logistic(sum(3 * n + j)) * tanh(cell[j]);
  }
}

/// Columns of the gates in the order r z n.
template <typename Number>
void gru_step(const RecurrentWeights<Number>& w, bool reset_before, const std::vector<Number>& x,
              std::vector<Number>& hidden) {
  using std::tanh;
  const std::size_t n = hidden.size();
  const std::vector<Number> h = hidden;
  const auto of_input = [&](std::size_t j) { return affine(x, w.input_weight, w.input_bias, 3 * n, j); };
  const auto of_hidden = [&](const std::vector<Number>& state, std::size_t j) {
    return affine(state, w.hidden_weight, w.hidden_bias, 3 * n, j);
  };
  std::vector<Number> r(n, 0.0);
  std::vector<Number> reset(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    r[j] = logistic(of_input(j) + of_hidden(h, j));
    reset[j] = r[j] * h[j];
  }
  for (std::size_t j = 0; j < n; ++j) {
    const Number z = logistic(of_input(n + j) + of_hidden(h, n + j));
    const Number candidate = reset_before ? of_hidden(reset, 2 * n + j) : r[j] * of_hidden(h, 2 * n + j);
    hidden[j] = (1.0 - z) * tanh(of_input(2 * n + j) + candidate) + z * h[j];
  }
}

/// Row t of x [T, cols].
template <typename Number>
std::vector<Number> row_at(const std::vector<Number>& x, std::size_t t, std::size_t cols) {
  std::vector<Number> row;
  for (std::size_t k = 0; k < cols; ++k) row.push_back(x[t * cols + k]);
  return row;
}

/// The steps [0, length) of one sequence x [T, D], in order or in reverse; outputs beyond are zeros.
/// step(x_t, hidden, cell) goes one step on.
template <typename Number, typename Step>
RecurrentResult<Number> run_recurrent(const Step& step, const std::vector<Number>& x, std::size_t steps,
                                      std::size_t length, bool reversed, std::vector<Number> hidden,
                                      std::vector<Number> cell) {
  const std::size_t n = hidden.size();
  RecurrentResult<Number> result{std::vector<Number>(steps * n, 0.0), {}, {}};
  for (std::size_t count = 0; count < length; ++count) {
    const std::size_t t = reversed ? length - 1 - count : count;
    step(row_at(x, t, x.size() / steps), hidden, cell);
    for (std::size_t j = 0; j < n; ++j) result.output[t * n + j] = hidden[j];
  }
  result.hidden = hidden;
  result.cell = cell;
  return result;
}

}  // namespace lookback::kernels::reference
