// SPDX-License-Identifier: MIT
// A whole recurrent layer out of the kernels, forward and backward, and the same layer by its reference: operands and
// results are flat lists, so that both can be compared number by number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lookback/kernels/matmul.hpp"
#include "lookback/kernels/recurrent.hpp"
#include "lookback/kernels/reference/recurrent.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

namespace lookback::test {

enum class Cell { lstm, gru_reset_before, gru_reset_after };

struct LayerShape {
  Cell cell = Cell::lstm;
  std::int64_t batch = 1;
  std::int64_t steps = 1;
  std::int64_t input = 1;
  std::int64_t width = 1;
  bool is_reversed = false;
  std::vector<std::int64_t> lengths{};  ///< empty: all steps

  std::int64_t num_gates() const { return cell == Cell::lstm ? 4 : 3; }
  std::int64_t length(std::int64_t item) const {
    return lengths.empty() ? steps : lengths[static_cast<std::size_t>(item)];
  }
  kernels::RecurrentRun run() const {
    return {.batch = batch,
            .steps = steps,
            .width = width,
            .is_reversed = is_reversed,
            .lengths = lengths.empty() ? nullptr : lengths.data()};
  }
};

template <typename Number>
using Flat = std::vector<std::vector<Number>>;

/// Places in the list of operands.
enum Operand { kInput, kInputWeight, kHiddenWeight, kInputBias, kHiddenBias, kFirstHidden, kFirstCell, kNumOperands };

inline std::vector<std::int64_t> operand_sizes(const LayerShape& s) {
  const std::int64_t columns = s.num_gates() * s.width;
  const std::int64_t state = s.batch * s.width;
  return {s.batch * s.steps * s.input,     s.input * columns, s.width * columns, columns, columns, state,
          s.cell == Cell::lstm ? state : 0};
}

/// Random numbers in [-1, 1) for every operand.
inline Flat<float> random_operands(const LayerShape& s, std::uint64_t seed) {
  Flat<float> operands;
  for (std::int64_t size : operand_sizes(s)) operands.push_back(random_numbers(size, ++seed));
  return operands;
}

/// Output [B, T, N], last hidden [B, N] and, of an LSTM, last cell [B, N], one after another.
template <typename Number>
std::vector<Number> reference_layer(const LayerShape& s, const Flat<Number>& operands) {
  namespace reference = kernels::reference;
  using Row = std::vector<Number>;
  const auto item_of = [&](Operand place, std::int64_t item) {
    const Row& all = operands[place];
    const std::size_t size = all.size() / static_cast<std::size_t>(s.batch);
    return reference::row_at(all, static_cast<std::size_t>(item), size);
  };
  const reference::RecurrentWeights<Number> weights{operands[kInputWeight], operands[kHiddenWeight],
                                                    operands[kInputBias], operands[kHiddenBias]};
  const auto step = [&](const Row& x, Row& hidden, Row& cell) {
    if (s.cell == Cell::lstm) return reference::lstm_step(weights, x, hidden, cell);
    reference::gru_step(weights, s.cell == Cell::gru_reset_before, x, hidden);
  };
  Row output;
  Row hidden;
  Row cell;
  for (std::int64_t item = 0; item < s.batch; ++item) {
    const auto result = reference::run_recurrent<Number>(step, item_of(kInput, item), static_cast<std::size_t>(s.steps),
                                                         static_cast<std::size_t>(s.length(item)), s.is_reversed,
                                                         item_of(kFirstHidden, item), item_of(kFirstCell, item));
    output.insert(output.end(), result.output.begin(), result.output.end());
    hidden.insert(hidden.end(), result.hidden.begin(), result.hidden.end());
    cell.insert(cell.end(), result.cell.begin(), result.cell.end());
  }
  output.insert(output.end(), hidden.begin(), hidden.end());
  output.insert(output.end(), cell.begin(), cell.end());
  return output;
}

/// d (sum_i weight_i result_i) / d operands by central differences in double: right to about ten digits.
inline Flat<double> central_differences(const LayerShape& s, const Flat<float>& operands,
                                        const std::vector<float>& weights) {
  constexpr double kStep = 1e-5;
  Flat<double> at;
  for (const auto& operand : operands) at.push_back(to_doubles(operand));
  const auto value = [&] {
    const std::vector<double> results = reference_layer(s, at);
    double sum = 0.0;
    for (std::size_t i = 0; i < results.size(); ++i) sum += results[i] * static_cast<double>(weights[i]);
    return sum;
  };
  Flat<double> gradients;
  for (auto& operand : at) {
    gradients.emplace_back();
    for (double& number : operand) {
      const double middle = number;
      number = middle + kStep;
      const double above = value();
      number = middle - kStep;
      const double below = value();
      number = middle;
      gradients.back().push_back((above - below) / (2.0 * kStep));
    }
  }
  return gradients;
}

/// The layer by the kernels. forward() gives the reference's list of results; backward(), after it, the gradients.
class KernelLayer {
 public:
  KernelLayer(LayerShape shape, Flat<float> operands)
      : s_(std::move(shape)),
        operands_(std::move(operands)),
        columns_(s_.num_gates() * s_.width),
        gates_(room(s_.batch * s_.steps * columns_)),
        candidates_(room(s_.batch * s_.steps * s_.width)),
        hiddens_(room((s_.steps + 1) * state())),
        cells_(room((s_.steps + 1) * state())) {}

  std::vector<float> forward() {
    const kernels::RecurrentRun run = s_.run();
    project();
    std::copy_n(operands_[kFirstHidden].data(), state(), hiddens_.data() + first_place(run) * state());
    std::vector<float> results = room(s_.batch * s_.steps * s_.width);
    if (s_.cell == Cell::lstm) {
      std::copy_n(operands_[kFirstCell].data(), state(), cells_.data() + first_place(run) * state());
      lstm_forward(run, gates_.data(), weights(), lstm_trace(), results.data(), scratch(lstm_scratch(run)));
    } else {
      gru_forward(run, reset(), gates_.data(), weights(), gru_trace(), results.data(),
                  scratch(gru_scratch(run, reset())));
    }
    append_state(results, hiddens_);
    if (s_.cell == Cell::lstm) append_state(results, cells_);
    return results;
  }

  /// d_results as forward() gives results -> the gradient of every operand.
  Flat<float> backward(const std::vector<float>& d_results) {
    const kernels::RecurrentRun run = s_.run();
    Flat<float> d;
    for (std::int64_t size : operand_sizes(s_)) d.emplace_back(static_cast<std::size_t>(size));
    std::vector<float> d_projection = room(s_.batch * s_.steps * columns_);
    const float* d_hidden = d_results.data() + s_.batch * s_.steps * s_.width;
    const kernels::RecurrentWeightGradients d_weights{d[kHiddenWeight].data(), d[kHiddenBias].data()};
    if (s_.cell == Cell::lstm) {
      lstm_backward(run, weights(), lstm_trace(), {d_results.data(), d_hidden, d_hidden + state()},
                    {d_projection.data(), d_weights, d[kFirstHidden].data(), d[kFirstCell].data()},
                    scratch(lstm_backward_scratch(run)));
    } else {
      gru_backward(run, reset(), weights(), gru_trace(), {d_results.data(), d_hidden},
                   {d_projection.data(), d_weights, d[kFirstHidden].data()},
                   scratch(gru_backward_scratch(run, reset())));
    }
    project_back(d_projection, d);
    return d;
  }

 private:
  /// Not a number until it is written: what is read too early shows.
  static std::vector<float> room(std::int64_t size) {
    return std::vector<float>(static_cast<std::size_t>(size), std::nanf(""));
  }
  std::int64_t state() const { return s_.batch * s_.width; }
  kernels::GruReset reset() const {
    return s_.cell == Cell::gru_reset_before ? kernels::GruReset::before : kernels::GruReset::after;
  }
  kernels::RecurrentWeights weights() const { return {operands_[kHiddenWeight].data(), operands_[kHiddenBias].data()}; }
  kernels::LstmTrace lstm_trace() { return {gates_.data(), hiddens_.data(), cells_.data()}; }
  kernels::GruTrace gru_trace() {
    return {gates_.data(), s_.cell == Cell::gru_reset_after ? candidates_.data() : nullptr, hiddens_.data()};
  }
  float* scratch(std::int64_t size) {
    scratch_ = room(size);
    return scratch_.data();
  }

  void append_state(std::vector<float>& results, const std::vector<float>& states) const {
    const float* last = states.data() + last_place(s_.run()) * state();
    results.insert(results.end(), last, last + state());
  }

  /// x W + b into the gates' place; what lies beyond a length is not a number, and must not be read.
  void project() {
    for (std::int64_t row = 0; row < s_.batch * s_.steps; ++row) {
      const bool is_padding = row % s_.steps >= s_.length(row / s_.steps);
      for (std::int64_t j = 0; j < columns_; ++j) {
        float sum = is_padding ? std::nanf("") : operands_[kInputBias][static_cast<std::size_t>(j)];
        for (std::int64_t k = 0; k < s_.input; ++k) sum += input_at(row, k) * input_weight_at(k, j);
        gates_[static_cast<std::size_t>(row * columns_ + j)] = sum;
      }
    }
  }

  void project_back(const std::vector<float>& d_projection, Flat<float>& d) const {
    for (std::int64_t row = 0; row < s_.batch * s_.steps; ++row) {
      for (std::int64_t j = 0; j < columns_; ++j) {
        const float d_sum = d_projection[static_cast<std::size_t>(row * columns_ + j)];
        d[kInputBias][static_cast<std::size_t>(j)] += d_sum;
        for (std::int64_t k = 0; k < s_.input; ++k) {
          d[kInput][static_cast<std::size_t>(row * s_.input + k)] += d_sum * input_weight_at(k, j);
          d[kInputWeight][static_cast<std::size_t>(k * columns_ + j)] += d_sum * input_at(row, k);
        }
      }
    }
  }

  float input_at(std::int64_t row, std::int64_t k) const {
    return operands_[kInput][static_cast<std::size_t>(row * s_.input + k)];
  }
  float input_weight_at(std::int64_t k, std::int64_t j) const {
    return operands_[kInputWeight][static_cast<std::size_t>(k * columns_ + j)];
  }

  LayerShape s_;
  Flat<float> operands_;
  std::int64_t columns_;
  std::vector<float> gates_;
  std::vector<float> candidates_;
  std::vector<float> hiddens_;
  std::vector<float> cells_;
  std::vector<float> scratch_;
};

/// Empty when every gradient is close to what was expected, else a sentence about the first that is not.
inline std::string gradient_mismatch(const Flat<float>& actual, const Flat<double>& expected, Tolerance tolerance) {
  static const char* const names[] = {"x", "W", "R", "input bias", "hidden bias", "first hidden", "first cell"};
  for (std::size_t place = 0; place < expected.size(); ++place) {
    const std::string problem = mismatch(to_doubles(actual[place]), expected[place], tolerance);
    if (!problem.empty()) return std::string(names[place]) + ": " + problem;
  }
  return "";
}

}  // namespace lookback::test
