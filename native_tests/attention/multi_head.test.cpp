// SPDX-License-Identifier: MIT
// Multi-head attention with its projections.
#include "lookback/attention/multi_head.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

const Tensor kEye = Tensor::matrix({{1, 0}, {0, 1}});

nn::Linear random_layer(std::int64_t in, std::int64_t out, std::uint64_t seed) {
  return {random_tensor({in, out}, seed), random_tensor({out}, seed + 1)};
}

/// D = 6, H = 4 heads over G of width 3, Kv = 2, Do = 5.
MultiHeadWeights random_weights(std::int64_t kv_heads) {
  return {random_layer(6, 12, 1), random_layer(6, kv_heads * 3, 3), random_layer(6, kv_heads * 2, 5),
          random_layer(8, 5, 7)};
}

/// Only values matter: queries and keys are projected to 0.
MultiHeadWeights averaging(std::int64_t in, std::int64_t heads, const Tensor& value) {
  const nn::Linear zero{Tensor::zeros({in, heads}), {}};
  return {zero, zero, {value, {}}, {}};
}

}  // namespace

TEST_CASE("multi-head: heads are columns, not tokens", "[attention]") {
  const Tensor x = Tensor::matrix({{1, 2}, {3, 4}});
  CHECK_THAT(multi_head(x, x, averaging(2, 2, kEye), {.heads = 2}).output,
             close_to(Tensor::matrix({{2, 3}, {2, 3}}), kExact));
}

TEST_CASE("multi-head: the output projection is applied last", "[attention]") {
  const Tensor x = Tensor::matrix({{1, 2}, {3, 4}});
  MultiHeadWeights weights = averaging(2, 2, kEye);
  weights.output = nn::Linear{Tensor::matrix({{1, 10}, {100, 1000}}), Tensor::vector({0.5f, -0.5f})};
  CHECK_THAT(multi_head(x, x, weights, {.heads = 2}).output,
             close_to(Tensor::matrix({{302.5f, 3019.5f}, {302.5f, 3019.5f}}), kExact));
}

TEST_CASE("multi-head: consecutive query heads share a key/value head", "[attention]") {
  MultiHeadWeights weights = averaging(1, 4, Tensor::matrix({{10, 20}}));
  weights.key = {Tensor::zeros({1, 2}), {}};
  const Tensor x = Tensor::matrix({{1}});
  CHECK_THAT(multi_head(x, x, weights, {.heads = 4, .kv_heads = 2}).output,
             close_to(Tensor::matrix({{10, 10, 20, 20}}), kExact));
}

TEST_CASE("multi-head: a head's width need not be the model's by the heads", "[attention]") {
  const MultiHeadWeights weights{random_layer(6, 8, 1), random_layer(6, 8, 3), random_layer(6, 8, 5),
                                 random_layer(8, 6, 7)};
  const Tensor x = random_tensor({3, 6}, 9);
  const MultiHead result = multi_head(x, x, weights, {.heads = 2});
  CHECK(result.query.shape() == Shape{2, 3, 4});
  CHECK(result.output.shape() == Shape{3, 6});
  const Tensor products = matmul(result.query, result.key, {.transpose_b = true});
  for (std::int64_t i = 0; i < products.size(); ++i)
    CHECK(is_close(static_cast<double>(result.heads.scores.data()[i]), static_cast<double>(products.data()[i]) / 2.0,
                   kFloat32));
}

TEST_CASE("multi-head: each head by itself, joined and projected", "[attention]") {
  const std::int64_t kv_heads = GENERATE(4, 2, 1);
  const MultiHeadWeights weights = random_weights(kv_heads);
  const Tensor x = random_tensor({5, 6}, 11);
  const Tensor memory = random_tensor({7, 6}, 12);
  const MultiHead result = multi_head(x, memory, weights, {.heads = 4, .kv_heads = kv_heads});
  const auto columns = [](const Tensor& y, std::int64_t index, std::int64_t width) {
    return slice(y, 1, index * width, (index + 1) * width);
  };
  std::vector<Tensor> outputs;
  for (std::int64_t h = 0; h < 4; ++h) {
    const std::int64_t g = h / (4 / kv_heads);
    outputs.push_back(scaled_dot_product(columns(weights.query.forward(x), h, 3),
                                         columns(weights.key.forward(memory), g, 3),
                                         columns(weights.value.forward(memory), g, 2))
                          .output);
  }
  CHECK_THAT(result.output, close_to(weights.output->forward(concat(outputs, 1))));
}

TEST_CASE("multi-head: as many key heads as query heads is the default", "[attention]") {
  const Tensor x = random_tensor({5, 6}, 11);
  const MultiHeadWeights weights = random_weights(4);
  CHECK_THAT(multi_head(x, x, weights, {.heads = 4, .kv_heads = 4}).output,
             close_to(multi_head(x, x, weights, {.heads = 4}).output, kExact));
}

TEST_CASE("multi-head: without positions, shuffled tokens give shuffled rows", "[attention][property]") {
  const Tensor x = random_tensor({5, 6}, 13);
  const std::vector<std::int64_t> order{3, 0, 4, 1, 2};
  const MultiHeadWeights weights = random_weights(2);
  const MultiHeadOptions options{.heads = 4, .kv_heads = 2};
  const Tensor moved = gather_rows(x, order);
  CHECK_THAT(multi_head(moved, moved, weights, options).output,
             close_to(gather_rows(multi_head(x, x, weights, options).output, order)));
}

TEST_CASE("multi-head: causal, a later token changes no earlier row", "[attention][property]") {
  const Tensor x = random_tensor({5, 6}, 13);
  const Tensor changed = concat({slice(x, 0, 0, 4), random_tensor({1, 6}, 14)}, 0);
  const MultiHeadWeights weights = random_weights(2);
  const MultiHeadOptions options{
      .heads = 4, .kv_heads = 2, .attention = {.positions = {.causal = Causal::bottom_right}}};
  const Tensor before = multi_head(x, x, weights, options).output;
  const Tensor after = multi_head(changed, changed, weights, options).output;
  CHECK_THAT(slice(after, 0, 0, 4), close_to(slice(before, 0, 0, 4), kExact));
  CHECK_THAT(slice(after, 0, 4, 5), !close_to(slice(before, 0, 4, 5)));
}

TEST_CASE("multi-head: a batch gives what each item gives alone", "[attention]") {
  const Tensor x = random_tensor({2, 5, 6}, 15);
  const Tensor memory = random_tensor({2, 3, 6}, 16);
  const MultiHeadWeights weights = random_weights(2);
  const MultiHeadOptions options{.heads = 4, .kv_heads = 2};
  const Tensor all = multi_head(x, memory, weights, options).output;
  for (std::int64_t b = 0; b < 2; ++b) {
    const Tensor one =
        multi_head(slice(x, 0, b, b + 1).reshape({5, 6}), slice(memory, 0, b, b + 1).reshape({3, 6}), weights, options)
            .output;
    CHECK_THAT(slice(all, 0, b, b + 1).reshape({5, 5}), close_to(one));
  }
}

TEST_CASE("multi-head: cross-attention reads the memory under the memory's mask", "[attention]") {
  const Tensor memory = Tensor(Shape{5, 1}, {0, 1, 2, 3, 4});
  const MultiHeadOptions options{.heads = 1, .attention = {.mask = Mask::keep(Tensor::vector({1, 1, 1, 0, 0}))}};
  CHECK_THAT(multi_head(Tensor::zeros({3, 1}), memory, averaging(1, 1, Tensor::matrix({{1}})), options).output,
             close_to(Tensor(Shape{3, 1}, {1, 1, 1})));
}

TEST_CASE("multi-head: no tokens", "[attention]") {
  const MultiHeadWeights weights = random_weights(2);
  const MultiHeadOptions options{.heads = 4, .kv_heads = 2};
  const Tensor none = Tensor::zeros({0, 6});
  CHECK(multi_head(none, none, weights, options).output.shape() == Shape{0, 5});
  // Nothing is read, so that only the output's bias is left.
  CHECK_THAT(multi_head(Tensor::zeros({1, 6}), none, weights, options).output,
             close_to(weights.output->bias->reshape({1, 5}), kExact));
}

TEST_CASE("multi-head: heads that do not divide are named with the numbers", "[attention]") {
  const auto error = [](std::int64_t heads, std::optional<std::int64_t> kv_heads, Shape x) {
    const nn::Linear ten{Tensor::zeros({10, 10}), {}};
    return error_of([&] {
      return multi_head(Tensor::zeros(x), Tensor::zeros(x), {ten, ten, ten, {}},
                        {.heads = heads, .kv_heads = kv_heads});
    });
  };
  CHECK(error(3, {}, {2, 10}) == "shape: split_heads: width 10 is not divisible by 3 heads, shape [2, 10]");
  CHECK(error(4, 3, {2, 10}) == "shape: multi_head: 4 query heads can't share 3 key/value heads");
  CHECK(error(0, {}, {2, 10}) == "shape: multi_head: 0 query heads can't share 0 key/value heads");
  CHECK(error(2, {}, {10}) == "shape: multi_head: x and memory must both be [T, D] or [B, T, D], got [10] and [10]");
  CHECK(error(2, {}, {2, 9}) == "shape: linear: x [2, 9] does not fit weight [in, out] [10, 10]");
}
