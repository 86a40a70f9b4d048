// SPDX-License-Identifier: MIT
// Are an op's value and gradients those of its reference, and are the reference's gradients right?
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lookback/core/check.hpp"
#include "lookback/kernels/reference/dual.hpp"
#include "lookback/tensor/tape.hpp"
#include "support/allclose.hpp"
#include "support/tensors.hpp"

namespace lookback::test {

using kernels::reference::Dual;

/// The operands of a reference, flat.
template <typename Number>
using Flat = std::vector<std::vector<Number>>;

/// f32 sums of some hundred products whose terms are about 1, and their gradients; see kFloat32.
inline constexpr Tolerance kGradient{2e-5, 2e-5};

template <typename Number>
Flat<Number> flat_operands(const std::vector<Tensor>& operands) {
  Flat<Number> result;
  for (const Tensor& operand : operands) result.emplace_back(operand.values().begin(), operand.values().end());
  return result;
}

/// sum_i weight_i output_i, the number that is differentiated: its weights differ, so that mixed-up outputs show.
template <typename Number>
Number weighted_sum(const std::vector<Number>& output, const std::vector<float>& weights) {
  Number sum = 0.0;
  for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * static_cast<double>(weights[i]);
  return sum;
}

/// The reference's gradient by every operand, by dual numbers, or a sentence about where central differences disagree.
template <typename Reference>
std::string reference_gradients(Reference reference, const std::vector<Tensor>& operands,
                                const std::vector<float>& weights, std::vector<std::vector<double>>& gradients) {
  // Differences lose half of double's 16 digits, at best.
  constexpr double kStep = 1e-5;
  constexpr Tolerance kDifferences{1e-7, 1e-7};
  Flat<Dual> duals = flat_operands<Dual>(operands);
  Flat<double> doubles = flat_operands<double>(operands);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    gradients.emplace_back();
    for (std::size_t i = 0; i < doubles[k].size(); ++i) {
      duals[k][i].slope = 1.0;
      const double slope = weighted_sum<Dual>(reference(duals), weights).slope;
      duals[k][i].slope = 0.0;
      const double at = doubles[k][i];
      doubles[k][i] = at + kStep;
      const double above = weighted_sum<double>(reference(doubles), weights);
      doubles[k][i] = at - kStep;
      const double below = weighted_sum<double>(reference(doubles), weights);
      doubles[k][i] = at;
      const double difference = (above - below) / (2.0 * kStep);
      if (!is_close(slope, difference, kDifferences)) {
        return message("reference: operand ", k, ", number ", i, ": gradient ", slope, ", central difference ",
                       difference);
      }
      gradients.back().push_back(slope);
    }
  }
  return "";
}

/// Compares op(operands) with reference(flat operands), and the gradients that a tape gives for every operand with the
/// reference's, which must pass central differences. Empty when all agree, else a sentence about the first that does
/// not. op: const std::vector<Tensor>& -> Tensor. reference: const Flat<Number>& -> std::vector<Number>, for double and
/// Dual.
template <typename Op, typename Reference>
std::string gradient_mismatch(Op op, Reference reference, std::vector<Tensor> operands,
                              Tolerance tolerance = kGradient) {
  Tape tape;
  for (Tensor& operand : operands) tape.watch(operand);
  const Tensor output = op(operands);
  const std::string value =
      mismatch(to_doubles(output.values()), reference(flat_operands<double>(operands)), tolerance);
  if (!value.empty()) return "value: " + value;

  const std::vector<float> weights = random_numbers(output.size(), 4711);
  std::vector<std::vector<double>> expected;
  const std::string problem = reference_gradients(reference, operands, weights, expected);
  if (!problem.empty()) return problem;

  tape.backward(output, Tensor(output.shape(), weights));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Tensor gradient = tape.gradient(operands[k]);
    if (gradient.shape() != operands[k].shape()) return message("gradient of operand ", k, " has another shape");
    const std::string difference = mismatch(to_doubles(gradient.values()), expected[k], tolerance);
    if (!difference.empty()) return message("gradient of operand ", k, ": ", difference);
  }
  return "";
}

}  // namespace lookback::test
