// SPDX-License-Identifier: MIT
#include "lookback/attention/causal.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/tensor/tape.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::close_to;
using lookback::test::error_of;
using lookback::test::random_tensor;
using namespace lookback;
using namespace lookback::attention;

namespace {

struct Gradient {
  Tensor output, query, key, value;
};

/// Of sum(output * d_output), by the op or by what it stands for, whose scores a tape keeps.
Gradient gradient_of(bool is_op, Tensor query, Tensor key, Tensor value, const Tensor& d_output) {
  Tape tape;
  tape.watch(query);
  tape.watch(key);
  tape.watch(value);
  ScaledDotProductOptions options;
  options.positions.causal = Causal::bottom_right;
  const Tensor output =
      is_op ? causal_attention(query, key, value) : scaled_dot_product(query, key, value, options).output;
  tape.backward(output, d_output);
  return {output, tape.gradient(query), tape.gradient(key), tape.gradient(value)};
}

}  // namespace

TEST_CASE("causal attention: value and gradients are those of the scores kept", "[attention][gradient]") {
  // Around the block of 32 queries, and several of them.
  const std::int64_t length = GENERATE(1, 5, 31, 32, 33, 100);
  const std::int64_t kv_heads = GENERATE(1, 2, 4);
  const Shape shape{2, 4, length, 6}, shared{2, kv_heads, length, 6};
  const Tensor query = random_tensor(shape, 1), key = random_tensor(shared, 2), value = random_tensor(shared, 3);
  const Tensor d_output = random_tensor(shape, 4);
  const Gradient actual = gradient_of(true, query, key, value, d_output);
  const Gradient expected = gradient_of(false, query, key, value, d_output);
  CHECK_THAT(actual.output, close_to(expected.output));
  CHECK_THAT(actual.query, close_to(expected.query));
  CHECK_THAT(actual.key, close_to(expected.key, {2e-5, 2e-5}));
  CHECK_THAT(actual.value, close_to(expected.value, {2e-5, 2e-5}));
}

TEST_CASE("causal attention: one tensor in all three places gets all three gradients", "[attention][gradient]") {
  const Tensor x = random_tensor({1, 2, 7, 4}, 5), d_output = random_tensor({1, 2, 7, 4}, 6);
  const Gradient apart = gradient_of(true, x, x, x, d_output);
  Tensor watched = x;
  Tape tape;
  tape.watch(watched);
  tape.backward(causal_attention(watched, watched, watched), d_output);
  std::vector<float> sum;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    sum.push_back(apart.query.data()[i] + apart.key.data()[i] + apart.value.data()[i]);
  }
  CHECK_THAT(tape.gradient(watched).values(), close_to(sum));
}

TEST_CASE("causal attention: a gradient nobody asked for is left out", "[attention][gradient]") {
  const Tensor query = random_tensor({1, 1, 40, 4}, 1), value = random_tensor({1, 1, 40, 4}, 3);
  const Tensor key = random_tensor({1, 1, 40, 4}, 2), d_output = random_tensor({1, 1, 40, 4}, 4);
  Tensor watched = key;
  Tape tape;
  tape.watch(watched);
  tape.backward(causal_attention(query, watched, value), d_output);
  CHECK_THAT(tape.gradient(watched), close_to(gradient_of(true, query, key, value, d_output).key));
}

TEST_CASE("causal attention: shapes that disagree are named", "[attention]") {
  const auto error = [](const Shape& q, const Shape& k, const Shape& v) {
    return error_of([&] { return causal_attention(Tensor::zeros(q), Tensor::zeros(k), Tensor::zeros(v)); });
  };
  CHECK_THAT(error({1, 3, 5, 4}, {1, 2, 5, 4}, {1, 2, 5, 4}),
             ContainsSubstring("shape: causal_attention: ") && ContainsSubstring("got [1, 3, 5, 4], [1, 2, 5, 4]"));
  CHECK_THAT(error({1, 2, 5, 4}, {1, 2, 6, 4}, {1, 2, 6, 4}), ContainsSubstring("[1, 2, 6, 4]"));
  CHECK_THAT(error({1, 2, 5, 4}, {1, 2, 5, 4}, {1, 2, 5, 3}), ContainsSubstring("[1, 2, 5, 3]"));
  CHECK_THAT(error({2, 5, 4}, {2, 5, 4}, {2, 5, 4}), ContainsSubstring("[2, 5, 4]"));
}
