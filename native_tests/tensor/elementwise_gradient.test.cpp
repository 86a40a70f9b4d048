// SPDX-License-Identifier: MIT
// Gradients of the element-wise ops and of sums, against dual numbers and central differences.
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "lookback/kernels/reference/row.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/reduce.hpp"
#include "support/errors.hpp"
#include "support/gradient_check.hpp"

using namespace lookback;
using namespace lookback::test;
namespace reference = lookback::kernels::reference;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// 300 numbers in [-4, 4): more than a kernel takes at once, and a remainder.
Tensor many() { return scale(random_tensor({3, 100}, 5), 4.0f); }

template <typename Op, typename Function>
std::string check_map(Op op, Function function) {
  const auto on_each = [function](const auto& operands) {
    auto output = operands[0];
    for (auto& value : output) value = function(value);
    return output;
  };
  return gradient_mismatch([op](const auto& x) { return op(x[0]); }, on_each, {many()});
}

/// Numbers of a [2, 3, 5] array against operands that broadcast to it, by their index there.
template <typename Function>
auto on_pairs(std::vector<std::int64_t> (*indices)(std::int64_t), Function function) {
  return [indices, function]<typename Number>(const Flat<Number>& operands) {
    std::vector<Number> output;
    for (std::int64_t i = 0; i < 30; ++i) {
      const auto at = indices(i);
      output.push_back(
          function(operands[0][static_cast<std::size_t>(at[0])], operands[1][static_cast<std::size_t>(at[1])]));
    }
    return output;
  };
}

struct Pairing {
  Shape a;
  Shape b;
  std::vector<std::int64_t> (*indices)(std::int64_t);
};

const std::vector<Pairing> kPairings = {
    {{2, 3, 5},
     {2, 3, 5},
     [](std::int64_t i) {
       return std::vector<std::int64_t>{i, i};
     }},
    {{2, 3, 5},
     {5},
     [](std::int64_t i) {
       return std::vector<std::int64_t>{i, i % 5};
     }},
    {{3, 1},
     {2, 3, 5},
     [](std::int64_t i) {
       return std::vector<std::int64_t>{i / 5 % 3, i};
     }},
    {{2, 3, 5},
     {},
     [](std::int64_t i) {
       return std::vector<std::int64_t>{i, 0};
     }},
    {{2, 1, 5},
     {1, 3, 1},
     [](std::int64_t i) {
       return std::vector<std::int64_t>{i / 15 * 5 + i % 5, i / 5 % 3};
     }},
    {{2, 3, 5},
     {2, 1, 1},
     [](std::int64_t i) {
       return std::vector<std::int64_t>{i, i / 15};
     }},
};

}  // namespace

TEST_CASE("add, subtract, multiply: gradients, summed where an operand broadcasts", "[tensor][gradient]") {
  for (const Pairing& p : kPairings) {
    INFO(p.a.to_string() << " and " << p.b.to_string());
    const std::vector<Tensor> operands = {random_tensor(p.a, 1), random_tensor(p.b, 2)};
    CHECK(gradient_mismatch([](const auto& x) { return add(x[0], x[1]); },
                            on_pairs(p.indices, [](auto a, auto b) { return a + b; }), operands) == "");
    CHECK(gradient_mismatch([](const auto& x) { return subtract(x[0], x[1]); },
                            on_pairs(p.indices, [](auto a, auto b) { return a - b; }), operands) == "");
    CHECK(gradient_mismatch([](const auto& x) { return multiply(x[0], x[1]); },
                            on_pairs(p.indices, [](auto a, auto b) { return a * b; }), operands) == "");
  }
}

TEST_CASE("select: the gradient goes to what was chosen, and only there", "[tensor][gradient]") {
  const Tensor condition = Tensor::matrix({{1, 0, 2}, {0, 0, 1}});
  const auto op = [&](const auto& x) { return select(condition, x[0], x[1]); };
  const auto by_hand = [](const auto& x) { return std::vector{x[0][0], x[1][0], x[0][2], x[1][0], x[1][0], x[0][5]}; };
  CHECK(gradient_mismatch(op, by_hand, {random_tensor({2, 3}, 1), random_tensor({}, 2)}) == "");
}

TEST_CASE("add_or_drop: what is dropped has no gradient", "[tensor][gradient]") {
  Tensor x = Tensor::vector({1, kInfinity, 3});
  Tensor addend = Tensor::vector({0.5f, -kInfinity, 2});
  Tape tape;
  tape.watch(x);
  tape.watch(addend);
  tape.backward(add_or_drop(x, addend), Tensor::vector({5, 6, 7}));
  CHECK_THAT(tape.gradient(x), close_to(Tensor::vector({5, 0, 7}), kExact));
  CHECK_THAT(tape.gradient(addend), close_to(Tensor::vector({5, 0, 7}), kExact));
}

TEST_CASE("activations: gradients", "[tensor][gradient]") {
  CHECK(check_map([](const Tensor& x) { return scale(x, -1.5f); }, [](auto x) { return -1.5 * x; }) == "");
  CHECK(check_map([](const Tensor& x) { return tanh(x); },
                  [](auto x) {
                    using std::tanh;
                    return tanh(x);
                  }) == "");
  CHECK(check_map([](const Tensor& x) { return sigmoid(x); }, [](auto x) { return reference::sigmoid(x); }) == "");
  CHECK(check_map([](const Tensor& x) { return relu(x); }, [](auto x) { return x < 0.0 ? 0.0 * x : x; }) == "");
  CHECK(check_map([](const Tensor& x) { return swish(x); }, [](auto x) { return reference::swish(x, 1.0); }) == "");
  CHECK(check_map([](const Tensor& x) { return swish(x, 2.0f); }, [](auto x) { return reference::swish(x, 2.0); }) ==
        "");
  CHECK(check_map([](const Tensor& x) { return gelu_erf(x); }, [](auto x) { return reference::gelu_erf(x); }) == "");
  CHECK(check_map([](const Tensor& x) { return gelu_tanh(x); }, [](auto x) { return reference::gelu_tanh(x); }) == "");
  CHECK(check_map([](const Tensor& x) { return soft_cap(x, 2.0f); },
                  [](auto x) {
                    using std::tanh;
                    return 2.0 * tanh(x / 2.0);
                  }) == "");
}

TEST_CASE("silu_multiply: value and both gradients", "[tensor][gradient]") {
  const auto by_definition = []<typename Number>(const Flat<Number>& x) {
    std::vector<Number> output;
    for (std::size_t i = 0; i < x[0].size(); ++i) output.push_back(reference::swish(x[0][i], 1.0) * x[1][i]);
    return output;
  };
  CHECK(gradient_mismatch([](const auto& x) { return silu_multiply(x[0], x[1]); }, by_definition,
                          {many(), random_tensor({3, 100}, 2)}) == "");
  CHECK(error_of([] { return silu_multiply(Tensor::zeros({2}), Tensor::zeros({3})); }) ==
        "shape: silu_multiply: gate [2] and up [3] must have one shape");
}

TEST_CASE("sum and mean: by hand, of all and along an axis", "[tensor]") {
  const Tensor x(Shape{2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(sum(x).item() == 78.0f);
  CHECK(mean(x).item() == 6.5f);
  CHECK_THAT(sum(x, 1), close_to(Tensor::matrix({{9, 12}, {27, 30}}), kExact));
  CHECK_THAT(mean(x, -1), close_to(Tensor::matrix({{1.5f, 3.5f, 5.5f}, {7.5f, 9.5f, 11.5f}}), kExact));
  CHECK_THAT(sum(x, 0), close_to(Tensor::matrix({{8, 10}, {12, 14}, {16, 18}}), kExact));
  CHECK(mean(Tensor::zeros({0})).item() == 0.0f);
  CHECK(error_of([&] { return sum(x, 3); }) == "range: shape: no axis 3 in [2, 3, 2]");
}

TEST_CASE("sum and mean: gradients", "[tensor][gradient]") {
  const auto columns = []<typename Number>(const Flat<Number>& x) {
    std::vector<Number> output(10, 0.0);
    for (std::size_t i = 0; i < 30; ++i) output[i / 15 * 5 + i % 5] += x[0][i] / 3.0;
    return output;
  };
  CHECK(gradient_mismatch([](const auto& x) { return mean(x[0], 1); }, columns, {random_tensor({2, 3, 5}, 1)}) == "");
  const auto rows = []<typename Number>(const Flat<Number>& x) {
    std::vector<Number> output(6, 0.0);
    for (std::size_t i = 0; i < 30; ++i) output[i / 5] += x[0][i];
    return output;
  };
  CHECK(gradient_mismatch([](const auto& x) { return sum(x[0], 2); }, rows, {random_tensor({2, 3, 5}, 1)}) == "");
  const auto all = []<typename Number>(const Flat<Number>& x) { return std::vector<Number>{reference::mean(x[0])}; };
  CHECK(gradient_mismatch([](const auto& x) { return mean(x[0]); }, all, {random_tensor({2, 3}, 1)}) == "");
}
