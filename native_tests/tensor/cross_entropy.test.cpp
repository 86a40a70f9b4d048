// SPDX-License-Identifier: MIT
// The loss of a classifier: known numbers, padding that counts for nothing, and its gradient.
#include "lookback/tensor/cross_entropy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "lookback/kernels/reference/row.hpp"
#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "support/errors.hpp"
#include "support/gradient_check.hpp"

using namespace lookback;
using namespace lookback::test;
namespace reference = lookback::kernels::reference;

namespace {

using Ids = std::vector<std::int64_t>;

const Tensor kTwoRows = Tensor::matrix({{2, 1, 0.1f}, {0.5f, 2.5f, 0}});

double loss_of(const Tensor& logits, const Ids& targets) {
  return static_cast<double>(cross_entropy(logits, targets).item());
}

Tensor gradient_of(Tensor logits, const Ids& targets, std::optional<float> divisor = std::nullopt) {
  Tape tape;
  tape.watch(logits);
  tape.backward(cross_entropy(logits, targets, divisor));
  return tape.gradient(logits);
}

}  // namespace

TEST_CASE("cross_entropy: the mean over the rows that count, however much padding there is", "[tensor]") {
  CHECK(is_close(loss_of(kTwoRows, {0, kIgnoredTarget}), 0.41703002, kFloat32));
  CHECK(is_close(loss_of(kTwoRows, {kIgnoredTarget, 1}), 0.19673410, kFloat32));
  const Tensor padded = concat({kTwoRows, random_tensor({2, 3}, 1)}, 0);
  // Over all four rows it would be .15344103.
  CHECK(is_close(loss_of(padded, {0, 1, kIgnoredTarget, kIgnoredTarget}), 0.30688206, kFloat32));
  CHECK(loss_of(padded.reshape({2, 2, 3}), {0, 1, kIgnoredTarget, kIgnoredTarget}) ==
        loss_of(padded, {0, 1, kIgnoredTarget, kIgnoredTarget}));
}

TEST_CASE("cross_entropy: what stands in an ignored row is not read", "[tensor][gradient]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor logits = Tensor::matrix({{2, 1, 0.1f}, {nan, nan, nan}});
  CHECK(is_close(loss_of(logits, {0, kIgnoredTarget}), 0.41703002, kFloat32));
  CHECK_THAT(gradient_of(logits, {0, kIgnoredTarget}).values().subspan(3), close_to({0, 0, 0}, kExact));
}

TEST_CASE("cross_entropy: nothing that counts gives 0, and so is its gradient", "[tensor][gradient]") {
  CHECK(loss_of(kTwoRows, {kIgnoredTarget, kIgnoredTarget}) == 0.0);
  CHECK_THAT(gradient_of(kTwoRows, {kIgnoredTarget, kIgnoredTarget}), close_to(Tensor::zeros({2, 3}), kExact));
  CHECK(loss_of(Tensor::zeros({0, 3}), {}) == 0.0);
}

TEST_CASE("cross_entropy: the log of a probability that is too small for f32", "[tensor][gradient]") {
  CHECK(loss_of(Tensor::matrix({{0, -200}}), {1}) == 200.0);
  CHECK_THAT(gradient_of(Tensor::matrix({{0, -200}}), {1}), close_to(Tensor::matrix({{1, -1}}), kExact));
  CHECK(loss_of(Tensor::matrix({{1e4f, 0}}), {1}) == 1e4);
}

TEST_CASE("cross_entropy: parts of a batch over its number of rows add up to its mean", "[tensor][gradient]") {
  const Tensor logits = random_tensor({4, 5}, 2);
  const Tensor first = slice(logits, 0, 0, 1), rest = slice(logits, 0, 1, 4);
  // Their own means, averaged one to one, would be another number.
  const double parts = static_cast<double>(cross_entropy(first, {2}, 4.0f).item()) +
                       static_cast<double>(cross_entropy(rest, {0, 4, 1}, 4.0f).item());
  CHECK(is_close(parts, loss_of(logits, {2, 0, 4, 1}), kFloat32));
  CHECK_THAT(concat({gradient_of(first, {2}, 4.0f), gradient_of(rest, {0, 4, 1}, 4.0f)}, 0),
             close_to(gradient_of(logits, {2, 0, 4, 1})));
}

TEST_CASE("cross_entropy: value and gradient by definition, with ignored rows", "[tensor][gradient]") {
  const Ids targets = {3, kIgnoredTarget, 0, 16, kIgnoredTarget, 8};
  const auto op = [&](const auto& x) { return cross_entropy(x[0], targets); };
  const auto by_definition = [&]<typename Number>(const Flat<Number>& x) {
    Number sum = 0.0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i] == kIgnoredTarget) continue;
      const std::vector<Number> row(x[0].data() + i * 17, x[0].data() + (i + 1) * 17);
      sum += -reference::log_softmax(row)[static_cast<std::size_t>(targets[i])] / 4.0;
    }
    return std::vector<Number>{sum};
  };
  CHECK(gradient_mismatch(op, by_definition, {random_tensor({2, 3, 17}, 3)}) == "");
}

TEST_CASE("cross_entropy: a table that is both looked up and multiplied with gets both gradients", "[gradient]") {
  // Of the look-up alone 1.2263617 in row 0; of the head alone (.8175745, -.8175745).
  Tensor table = Tensor::matrix({{1}, {-0.5f}});
  Tape tape;
  tape.watch(table);
  const std::vector<std::int64_t> id = {0};
  tape.backward(cross_entropy(matmul(gather_rows(table, id), transpose(table, 0, 1)), {1}));
  CHECK_THAT(tape.gradient(table), close_to(Tensor::matrix({{2.0439362f}, {-0.81757448f}})));
}

TEST_CASE("cross_entropy: bad arguments are named", "[tensor]") {
  CHECK(error_of([] { return cross_entropy(kTwoRows, {0}); }) == "shape: cross_entropy: 1 targets for logits [2, 3]");
  CHECK(error_of([] { return cross_entropy(Tensor::scalar(1), {0}); }) ==
        "shape: cross_entropy: 1 targets for logits []");
  CHECK(error_of([] { return cross_entropy(kTwoRows, {0, 3}); }) == "range: cross_entropy: target 3 is outside [0, 3)");
  CHECK(error_of([] {
          return cross_entropy(kTwoRows, {-2, 0});
        }) == "range: cross_entropy: target -2 is outside [0, 3)");
  for (float divisor : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    CHECK(error_of([&] {
            return cross_entropy(kTwoRows, {0, 1}, divisor);
          }).find("value: cross_entropy: the divisor must be above 0, got ") == 0);
  }
}
