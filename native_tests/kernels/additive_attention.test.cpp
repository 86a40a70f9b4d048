// SPDX-License-Identifier: MIT
// Additive attention of one query: every remainder of widths against the definition, and each gradient left out in
// turn.
#include "lookback/kernels/additive_attention.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "lookback/kernels/reference/dual.hpp"
#include "lookback/kernels/reference/row.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;
using lookback::kernels::reference::Dual;

namespace {

template <typename Number>
using Flat = std::vector<std::vector<Number>>;

struct Sizes {
  std::int64_t keys, hidden, width;
};

/// Query, projected keys, vector, values.
Flat<float> operands_of(Sizes n) {
  return {random_numbers(n.hidden, 1), random_numbers(n.keys * n.hidden, 2), random_numbers(n.hidden, 3),
          random_numbers(n.keys * n.width, 4)};
}

AdditiveAttention operands(Sizes n, const Flat<float>& x) {
  return {n.keys, n.hidden, n.width, x[0].data(), x[1].data(), x[2].data(), x[3].data()};
}

/// Weights, then context.
template <typename Number>
Flat<Number> by_definition(Sizes n, const Flat<Number>& x) {
  using std::tanh;
  const auto hidden = static_cast<std::size_t>(n.hidden), width = static_cast<std::size_t>(n.width);
  std::vector<Number> scores, context(width, 0.0);
  for (std::size_t s = 0; s < static_cast<std::size_t>(n.keys); ++s) {
    Number score = 0.0;
    for (std::size_t i = 0; i < hidden; ++i) score += x[2][i] * tanh(x[0][i] + x[1][s * hidden + i]);
    scores.push_back(score);
  }
  const std::vector<Number> weights = reference::softmax(scores);
  for (std::size_t s = 0; s < weights.size(); ++s) {
    for (std::size_t i = 0; i < width; ++i) context[i] += weights[s] * x[3][s * width + i];
  }
  return {weights, context};
}

/// d (upstream . [weights; context]) by every operand.
Flat<double> expected_gradients(Sizes n, const Flat<float>& x, const Flat<float>& upstream) {
  Flat<Dual> duals;
  for (const auto& operand : x) duals.emplace_back(operand.begin(), operand.end());
  Flat<double> gradients;
  for (auto& operand : duals) {
    gradients.emplace_back();
    for (Dual& number : operand) {
      number.slope = 1.0;
      const Flat<Dual> output = by_definition(n, duals);
      number.slope = 0.0;
      double slope = 0.0;
      for (std::size_t k = 0; k < 2; ++k) {
        for (std::size_t i = 0; i < output[k].size(); ++i) {
          slope += output[k][i].slope * static_cast<double>(upstream[k][i]);
        }
      }
      gradients.back().push_back(slope);
    }
  }
  return gradients;
}

/// wanted: a bit for each operand's gradient. All start at 1, since the kernel adds.
Flat<float> gradients_of(Sizes n, const Flat<float>& x, const Flat<float>& upstream, unsigned wanted) {
  std::vector<float> hiddens(x[1].size()), weights(static_cast<std::size_t>(n.keys)), context(upstream[1].size());
  additive_attention(operands(n, x), hiddens.data(), weights.data(), context.data());
  Flat<float> gradients;
  for (const auto& operand : x) gradients.emplace_back(operand.size(), 1.0f);
  const auto place = [&](unsigned k) { return (wanted >> k & 1u) != 0 ? gradients[k].data() : nullptr; };
  std::vector<float> scratch(static_cast<std::size_t>(n.keys));
  additive_attention_backward(operands(n, x), hiddens.data(), weights.data(), upstream[1].data(), upstream[0].data(),
                              {place(0), place(1), place(2), place(3)}, scratch.data());
  return gradients;
}

}  // namespace

TEST_CASE("additive attention: widths of every remainder against the definition", "[kernels]") {
  for (std::int64_t hidden = 1; hidden <= 35; ++hidden) {
    const Sizes n{1 + hidden % 7, hidden, 36 - hidden};
    const Flat<float> x = operands_of(n);
    std::vector<float> hiddens(x[1].size()), weights(static_cast<std::size_t>(n.keys));
    std::vector<float> context(static_cast<std::size_t>(n.width));
    additive_attention(operands(n, x), hiddens.data(), weights.data(), context.data());
    Flat<double> wide;
    for (const auto& operand : x) wide.emplace_back(operand.begin(), operand.end());
    const Flat<double> expected = by_definition(n, wide);
    CHECK_THAT(weights, close_to(expected[0]));
    CHECK_THAT(context, close_to(expected[1]));
  }
}

TEST_CASE("additive attention: gradients of every remainder, added to what is there", "[kernels][gradient]") {
  for (std::int64_t hidden : {1, 3, 4, 7, 8, 9, 16, 17, 19}) {
    const Sizes n{1 + hidden % 5, hidden, 20 - hidden};
    const Flat<float> x = operands_of(n);
    const Flat<float> upstream{random_numbers(n.keys, 5), random_numbers(n.width, 6)};
    Flat<double> expected = expected_gradients(n, x, upstream);
    for (auto& gradient : expected) {
      for (double& value : gradient) value += 1.0;
    }
    const Flat<float> gradients = gradients_of(n, x, upstream, 0b1111u);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK_THAT(gradients[k], close_to(expected[k]));
  }
}

TEST_CASE("additive attention: gradients that are not wanted leave the others alone", "[kernels][gradient]") {
  const Sizes n{3, 5, 4};
  const Flat<float> x = operands_of(n);
  const Flat<float> upstream{random_numbers(n.keys, 5), random_numbers(n.width, 6)};
  const Flat<float> all = gradients_of(n, x, upstream, 0b1111u);
  for (unsigned wanted = 0; wanted < 16; ++wanted) {
    const Flat<float> some = gradients_of(n, x, upstream, wanted);
    for (unsigned k = 0; k < 4; ++k) {
      const bool is_wanted = (wanted >> k & 1u) != 0;
      CHECK_THAT(some[k], close_to(is_wanted ? all[k] : std::vector<float>(x[k].size(), 1.0f), kExact));
    }
  }
}

TEST_CASE("additive attention: one key gets all the weight, none gives a context of zeros", "[kernels]") {
  const Sizes one{1, 2, 3};
  const Flat<float> x = operands_of(one);
  std::vector<float> hiddens(2), weights(1), context(3, 7.0f);
  additive_attention(operands(one, x), hiddens.data(), weights.data(), context.data());
  CHECK(weights[0] == 1.0f);
  CHECK_THAT(context, close_to(x[3], kExact));
  AdditiveAttention none = operands(one, x);
  none.keys = 0;
  additive_attention(none, hiddens.data(), weights.data(), context.data());
  CHECK_THAT(context, close_to({0, 0, 0}, kExact));
}
