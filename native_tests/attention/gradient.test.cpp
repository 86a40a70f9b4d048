// SPDX-License-Identifier: MIT
// Gradients through attention: masks drop them, shared heads add them up.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "lookback/attention/multi_head.hpp"
#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/attention/score.hpp"
#include "lookback/kernels/reference/row.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/softmax.hpp"
#include "support/gradient_check.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;
namespace reference = lookback::kernels::reference;

namespace {

constexpr std::size_t kHeads = 4, kKeyHeads = 2, kQueries = 3, kKeys = 5, kWidth = 3;

/// softmax(q k^T / sqrt(K)) v over the keys that seen(t, s) keeps.
template <typename Number, typename Seen>
std::vector<Number> attend(const Flat<Number>& x, Seen seen) {
  std::vector<Number> output;
  for (std::size_t h = 0; h < kHeads; ++h) {
    const std::size_t g = h / (kHeads / kKeyHeads);
    for (std::size_t t = 0; t < kQueries; ++t) {
      std::vector<Number> scores;
      for (std::size_t s = 0; s < kKeys; ++s) {
        Number score = 0.0;
        for (std::size_t d = 0; d < kWidth; ++d)
          score += x[0][(h * kQueries + t) * kWidth + d] * x[1][(g * kKeys + s) * kWidth + d];
        scores.push_back(seen(t, s) ? score / std::sqrt(double{kWidth}) : Number(-INFINITY));
      }
      const std::vector<Number> weights = reference::softmax(scores);
      for (std::size_t d = 0; d < kWidth; ++d) {
        Number sum = 0.0;
        for (std::size_t s = 0; s < kKeys; ++s) sum += weights[s] * x[2][(g * kKeys + s) * kWidth + d];
        output.push_back(sum);
      }
    }
  }
  return output;
}

std::vector<Tensor> operands() {
  return {random_tensor({4, 3, 3}, 1), random_tensor({2, 5, 3}, 2), random_tensor({2, 5, 3}, 3)};
}

}  // namespace

TEST_CASE("scaled dot product: gradients of query, key and value, grouped heads", "[attention][gradient]") {
  for (bool capture : {true, false}) {
    const auto plain = [&](const auto& x) { return scaled_dot_product(x[0], x[1], x[2], {.capture = capture}).output; };
    CHECK(gradient_mismatch(
              plain, [](const auto& x) { return attend(x, [](auto, auto) { return true; }); }, operands()) == "");
    const auto causal = [&](const auto& x) {
      return scaled_dot_product(x[0], x[1], x[2], {.positions = {.causal = Causal::bottom_right}, .capture = capture})
          .output;
    };
    const auto past = [](std::size_t t, std::size_t s) { return s <= t + kKeys - kQueries; };
    CHECK(gradient_mismatch(
              causal, [&](const auto& x) { return attend(x, past); }, operands()) == "");
  }
}

TEST_CASE("scaled dot product: a fully masked row gives zeros in value and gradient", "[attention][gradient]") {
  const Mask mask = Mask::keep(Tensor::matrix({{1, 0, 1, 1, 1}, {0, 0, 0, 0, 0}, {1, 1, 0, 1, 0}}));
  const auto op = [&](const auto& x) { return scaled_dot_product(x[0], x[1], x[2], {.mask = mask}).output; };
  const auto seen = [](std::size_t t, std::size_t s) { return t == 0 ? s != 1 : t == 2 && (s < 2 || s == 3); };
  CHECK(gradient_mismatch(
            op, [&](const auto& x) { return attend(x, seen); }, operands()) == "");
}

TEST_CASE("additive attention: gradients of query, keys and all weights", "[attention][gradient]") {
  const auto op = [](const auto& x) {
    const auto scores = additive_scores(x[0], x[1], {x[2], x[3], x[4], x[5]}).scores;
    return matmul(softmax(scores), x[1]);
  };
  const auto by_definition = []<typename Number>(const Flat<Number>& x) {
    using std::tanh;
    std::vector<Number> output;
    for (std::size_t t = 0; t < 2; ++t) {
      std::vector<Number> scores;
      for (std::size_t s = 0; s < 3; ++s) {
        Number score = 0.0;
        for (std::size_t n = 0; n < 5; ++n) {
          Number sum = x[5][n];
          for (std::size_t d = 0; d < 4; ++d) sum += x[0][t * 4 + d] * x[2][d * 5 + n];
          for (std::size_t d = 0; d < 6; ++d) sum += x[1][s * 6 + d] * x[3][d * 5 + n];
          score += x[4][n] * tanh(sum);
        }
        scores.push_back(score);
      }
      const std::vector<Number> weights = reference::softmax(scores);
      for (std::size_t d = 0; d < 6; ++d) {
        Number sum = 0.0;
        for (std::size_t s = 0; s < 3; ++s) sum += weights[s] * x[1][s * 6 + d];
        output.push_back(sum);
      }
    }
    return output;
  };
  CHECK(gradient_mismatch(op, by_definition,
                          {random_tensor({2, 4}, 1), random_tensor({3, 6}, 2), random_tensor({4, 5}, 3),
                           random_tensor({6, 5}, 4), random_tensor({5}, 5), random_tensor({5}, 6)}) == "");
}
