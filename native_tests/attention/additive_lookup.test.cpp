// SPDX-License-Identifier: MIT
// Bahdanau's attention in one op: value and gradients by definition, true lengths, padding that is never read.
#include "lookback/attention/additive_lookup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "lookback/attention/score.hpp"
#include "lookback/kernels/reference/row.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/softmax.hpp"
#include "support/errors.hpp"
#include "support/gradient_check.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;
namespace reference = lookback::kernels::reference;

namespace {

constexpr std::int64_t kBatch = 3, kKeys = 4, kHidden = 5, kWidth = 6;
const std::vector<std::int64_t> kLengths = {4, 2, 0};

/// Projected query, projected keys, vector, values.
std::vector<Tensor> operands() {
  return {random_tensor({kBatch, kHidden}, 1), random_tensor({kBatch, kKeys, kHidden}, 2), random_tensor({kHidden}, 3),
          random_tensor({kBatch, kKeys, kWidth}, 4)};
}

AdditiveLookup lookup(const std::vector<Tensor>& x, const std::vector<std::int64_t>& lengths) {
  return additive_lookup(x[0], x[1], x[2], x[3], lengths);
}

/// Weights, then contexts, flat.
Tensor joined(const AdditiveLookup& y) {
  return concat({y.weights.reshape({y.weights.size()}), y.context.reshape({y.context.size()})}, 0);
}

auto by_definition(const std::vector<std::int64_t>& lengths) {
  return [lengths]<typename Number>(const Flat<Number>& x) {
    using std::tanh;
    std::vector<Number> all_weights(kBatch * kKeys, 0.0), contexts(kBatch * kWidth, 0.0);
    for (std::size_t b = 0; b < kBatch; ++b) {
      std::vector<Number> scores;
      for (std::size_t s = 0; s < static_cast<std::size_t>(lengths[b]); ++s) {
        Number score = 0.0;
        for (std::size_t i = 0; i < kHidden; ++i) {
          score += x[2][i] * tanh(x[0][b * kHidden + i] + x[1][(b * kKeys + s) * kHidden + i]);
        }
        scores.push_back(score);
      }
      const std::vector<Number> weights = reference::softmax(scores);
      for (std::size_t s = 0; s < weights.size(); ++s) {
        all_weights[b * kKeys + s] = weights[s];
        for (std::size_t i = 0; i < kWidth; ++i) {
          contexts[b * kWidth + i] += weights[s] * x[3][(b * kKeys + s) * kWidth + i];
        }
      }
    }
    all_weights.insert(all_weights.end(), contexts.begin(), contexts.end());
    return all_weights;
  };
}

/// The same with NaN wherever an item has no key.
std::vector<Tensor> with_planted_nans(std::vector<Tensor> x) {
  for (std::size_t k : {1u, 3u}) {
    TensorBuilder planted(x[k]);
    const std::int64_t cols = x[k].dim(2);
    for (std::size_t b = 0; b < kBatch; ++b) {
      const std::int64_t first = static_cast<std::int64_t>(b) * kKeys;
      std::fill(planted.data() + (first + kLengths[b]) * cols, planted.data() + (first + kKeys) * cols,
                std::numeric_limits<float>::quiet_NaN());
    }
    x[k] = std::move(planted).build();
  }
  return x;
}

}  // namespace

TEST_CASE("additive lookup: value and gradients by definition", "[attention][gradient]") {
  for (const auto& lengths : {kLengths, std::vector<std::int64_t>(kBatch, kKeys)}) {
    const auto op = [&](const auto& x) { return joined(lookup(x, lengths)); };
    CHECK(gradient_mismatch(op, by_definition(lengths), operands()) == "");
  }
  const std::vector<std::int64_t> all(kBatch, kKeys);
  CHECK_THAT(joined(lookup(operands(), {})), close_to(joined(lookup(operands(), all)), kExact));
}

TEST_CASE("additive lookup: through the context alone, through the weights alone", "[attention][gradient]") {
  for (bool is_context : {false, true}) {
    const auto op = [&](const auto& x) {
      const AdditiveLookup y = lookup(x, kLengths);
      return is_context ? y.context : y.weights;
    };
    const auto part = [&]<typename Number>(const Flat<Number>& x) {
      const std::vector<Number> both = by_definition(kLengths)(x);
      const auto middle = both.begin() + kBatch * kKeys;
      return is_context ? std::vector<Number>(middle, both.end()) : std::vector<Number>(both.begin(), middle);
    };
    CHECK(gradient_mismatch(op, part, operands()) == "");
  }
}

TEST_CASE("additive lookup: what lies beyond an item's length is not read", "[attention][gradient]") {
  std::vector<std::vector<Tensor>> gradients;
  std::vector<Tensor> outputs;
  for (std::vector<Tensor> x : {operands(), with_planted_nans(operands())}) {
    Tape tape;
    for (Tensor& operand : x) tape.watch(operand);
    outputs.push_back(joined(lookup(x, kLengths)));
    tape.backward(outputs.back(), random_tensor(outputs.back().shape(), 9));
    gradients.emplace_back();
    for (const Tensor& operand : x) gradients.back().push_back(tape.gradient(operand));
  }
  CHECK_THAT(outputs[1], close_to(outputs[0], kExact));
  for (std::size_t k = 0; k < 4; ++k) CHECK_THAT(gradients[1][k], close_to(gradients[0][k], kExact));
}

TEST_CASE("additive lookup: no keys give weights and a context of zeros", "[attention]") {
  const AdditiveLookup y = lookup(operands(), kLengths);
  CHECK_THAT(y.weights.values().subspan(2 * kKeys), close_to({0, 0, 0, 0}, kExact));
  CHECK_THAT(y.context.values().subspan(2 * kWidth), close_to({0, 0, 0, 0, 0, 0}, kExact));
  const AdditiveLookup none =
      additive_lookup(Tensor::zeros({2, 3}), Tensor::zeros({2, 0, 3}), Tensor::zeros({3}), Tensor::zeros({2, 0, 4}));
  CHECK(none.weights.shape() == Shape{2, 0});
  CHECK_THAT(none.context, close_to(Tensor::zeros({2, 4}), kExact));
}

TEST_CASE("additive lookup: an empty batch", "[attention]") {
  const AdditiveLookup y =
      additive_lookup(Tensor::zeros({0, 3}), Tensor::zeros({0, 2, 3}), Tensor::zeros({3}), Tensor::zeros({0, 2, 4}));
  CHECK(y.weights.shape() == Shape{0, 2});
  CHECK(y.context.shape() == Shape{0, 4});
}

TEST_CASE("additive lookup: is scores, softmax and a product in one", "[attention]") {
  const Tensor query = random_tensor({1, 7}, 1), keys = random_tensor({1, 9, 8}, 2);
  const AdditiveWeights weights{random_tensor({7, 5}, 3), random_tensor({8, 5}, 4), random_tensor({5}, 5), {}};
  const AdditiveLookup y =
      additive_lookup(matmul(query, weights.query_weight), matmul(keys, weights.key_weight), weights.vector, keys);
  const Tensor expected = softmax(additive_scores(query, keys.reshape({9, 8}), weights).scores);
  CHECK_THAT(y.weights, close_to(expected));
  CHECK_THAT(y.context, close_to(matmul(expected, keys.reshape({9, 8}))));
}

TEST_CASE("additive lookup: shapes and lengths that do not fit are named", "[attention]") {
  const std::vector<Tensor> x = operands();
  CHECK(error_of([&] {
          return additive_lookup(x[0], x[1], x[2], random_tensor({3, 5, 6}, 1));
        }) ==
        "shape: additive_lookup: needs projected query [B, N], projected keys [B, S, N], vector [N], values [B, S, D]; "
        "got [3, 5], [3, 4, 5], [5], [3, 5, 6]");
  CHECK(error_of([&] { return additive_lookup(x[0], x[1], Tensor::zeros({4}), x[3]); }).find("shape: ") == 0);
  CHECK(error_of([&] { return additive_lookup(x[0].reshape({15}), x[1], x[2], x[3]); }).find("shape: ") == 0);
  CHECK(error_of([&] { return lookup(x, {4, 4}); }) == "shape: additive_lookup: 2 lengths for a batch of 3");
  CHECK(error_of([&] { return lookup(x, {4, 5, 0}); }) == "range: additive_lookup: length 5 is not from 0 to 4");
  CHECK(error_of([&] { return lookup(x, {4, -1, 0}); }) == "range: additive_lookup: length -1 is not from 0 to 4");
}
