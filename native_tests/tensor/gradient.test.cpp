// SPDX-License-Identifier: MIT
// Gradients of products, rows and moves, against dual numbers and central differences.
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "lookback/kernels/reference/row.hpp"
#include "lookback/kernels/rotary.hpp"
#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/norm.hpp"
#include "lookback/tensor/rotary.hpp"
#include "lookback/tensor/softmax.hpp"
#include "support/gradient_check.hpp"

using namespace lookback;
using namespace lookback::test;
namespace reference = lookback::kernels::reference;

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// `items` products [m, k] [k, n]; an operand with one matrix serves all items. Elements by strides, so that transposed
/// storage needs no second loop.
struct Product {
  std::int64_t items, m, n, k;
  bool transpose_a, transpose_b, shares_a, shares_b;

  template <typename Number>
  std::vector<Number> operator()(const Flat<Number>& x) const {
    std::vector<Number> output;
    for (std::int64_t item = 0; item < items; ++item) {
      for (std::int64_t i = 0; i < m * n; ++i) {
        Number sum = x.size() > 2 ? x[2][at(i % n)] : Number(0.0);
        for (std::int64_t j = 0; j < k; ++j) {
          const std::int64_t a = transpose_a ? j * m + i / n : i / n * k + j;
          const std::int64_t b = transpose_b ? i % n * k + j : j * n + i % n;
          sum += x[0][at((shares_a ? 0 : item) * m * k + a)] * x[1][at((shares_b ? 0 : item) * k * n + b)];
        }
        output.push_back(sum);
      }
    }
    return output;
  }
};

std::string check_product(const Product& p) {
  const Shape a = p.transpose_a ? Shape{p.k, p.m} : Shape{p.m, p.k};
  const Shape b = p.transpose_b ? Shape{p.n, p.k} : Shape{p.k, p.n};
  const auto batched = [&](const Shape& s, bool shares) { return shares ? s : Shape{p.items, s[0], s[1]}; };
  const auto op = [&](const auto& x) {
    return matmul(x[0], x[1], {.transpose_a = p.transpose_a, .transpose_b = p.transpose_b});
  };
  return gradient_mismatch(op, p, {random_tensor(batched(a, p.shares_a), 1), random_tensor(batched(b, p.shares_b), 2)});
}

/// A function of rows of `n` numbers, on every row.
template <typename Function>
auto on_rows(std::size_t n, Function function) {
  return [n, function]<typename Number>(const Flat<Number>& x) {
    std::vector<Number> output;
    for (std::size_t start = 0; start < x[0].size(); start += n) {
      const auto first = x[0].begin() + static_cast<std::ptrdiff_t>(start);
      const std::vector<Number> row = function(std::vector<Number>(first, first + static_cast<std::ptrdiff_t>(n)), x);
      output.insert(output.end(), row.begin(), row.end());
    }
    return output;
  };
}

}  // namespace

TEST_CASE("matmul: gradients in all four storage forms, sizes with remainders", "[tensor][gradient]") {
  for (bool transpose_a : {false, true}) {
    for (bool transpose_b : {false, true}) {
      INFO("transposed: " << transpose_a << transpose_b);
      CHECK(check_product({1, 5, 19, 7, transpose_a, transpose_b, true, true}) == "");
      CHECK(check_product({1, 1, 9, 6, transpose_a, transpose_b, true, true}) == "");
      CHECK(check_product({3, 4, 3, 5, transpose_a, transpose_b, false, false}) == "");
      CHECK(check_product({3, 4, 3, 5, transpose_a, transpose_b, true, false}) == "");
      CHECK(check_product({3, 4, 3, 5, transpose_a, transpose_b, false, true}) == "");
    }
  }
}

TEST_CASE("matmul: gradients of vectors", "[tensor][gradient]") {
  const auto op = [](const auto& x) { return matmul(x[0], x[1]); };
  CHECK(gradient_mismatch(op, Product{1, 1, 4, 3, false, false, true, true},
                          {random_tensor({3}, 1), random_tensor({3, 4}, 2)}) == "");
  CHECK(gradient_mismatch(op, Product{1, 4, 1, 3, false, false, true, true},
                          {random_tensor({4, 3}, 1), random_tensor({3}, 2)}) == "");
  CHECK(gradient_mismatch(op, Product{1, 1, 1, 5, false, false, true, true},
                          {random_tensor({5}, 1), random_tensor({5}, 2)}) == "");
}

TEST_CASE("affine: value and gradients", "[tensor][gradient]") {
  CHECK(gradient_mismatch([](const auto& x) { return affine(x[0], x[1], x[2]); },
                          Product{2, 3, 9, 5, false, false, false, true},
                          {random_tensor({2, 3, 5}, 1), random_tensor({5, 9}, 2), random_tensor({9}, 3)}) == "");
}

TEST_CASE("softmax and log_softmax: gradients, also along another axis", "[tensor][gradient]") {
  const Tensor x = random_tensor({3, 7}, 1);
  const auto soft = [](const auto& row, const auto&) { return reference::softmax(row); };
  CHECK(gradient_mismatch([](const auto& v) { return softmax(v[0]); }, on_rows(7, soft), {x}) == "");
  const auto cold = [](auto row, const auto&) {
    for (auto& value : row) value = value / 0.5;
    return reference::softmax(row);
  };
  CHECK(gradient_mismatch([](const auto& v) { return softmax(v[0], -1, 0.5f); }, on_rows(7, cold), {x}) == "");
  const auto logs = [](const auto& row, const auto&) { return reference::log_softmax(row); };
  CHECK(gradient_mismatch([](const auto& v) { return log_softmax(v[0]); }, on_rows(7, logs), {x}) == "");
  const auto first_axis = [](const auto& v) { return transpose(softmax(transpose(v[0], 0, 1), 0), 0, 1); };
  CHECK(gradient_mismatch(first_axis, on_rows(7, soft), {x}) == "");
}

TEST_CASE("softmax: a fully masked row has gradient 0, a masked entry too", "[tensor][gradient]") {
  constexpr float kDropped = -std::numeric_limits<float>::infinity();
  Tensor x = Tensor::matrix({{kDropped, kDropped}, {kDropped, 1}, {1, 1}});
  const Tensor d_y = Tensor::matrix({{1, 2}, {3, 4}, {5, 7}});
  Tape tape;
  tape.watch(x);
  tape.backward(softmax(x), d_y);
  CHECK_THAT(tape.gradient(x), close_to(Tensor::matrix({{0, 0}, {0, 0}, {-0.5f, 0.5f}}), kExact));
  Tape of_logs;
  of_logs.watch(x);
  of_logs.backward(log_softmax(x), d_y);
  CHECK_THAT(of_logs.gradient(x), close_to(Tensor::matrix({{0, 0}, {0, 0}, {-1, 1}})));
}

TEST_CASE("layer_norm and rms_norm: gradients of x, weight and bias", "[tensor][gradient]") {
  const std::vector<Tensor> operands = {random_tensor({4, 9}, 1), random_tensor({9}, 2), random_tensor({9}, 3)};
  const auto layer = [](const auto& row, const auto& x) { return reference::layer_norm(row, x[1], x[2], 1e-5); };
  CHECK(gradient_mismatch([](const auto& x) { return layer_norm(x[0], x[1], x[2]).output; }, on_rows(9, layer),
                          operands) == "");
  const auto rms = [](const auto& row, const auto& x) { return reference::rms_norm(row, x[1], 1e-5); };
  CHECK(gradient_mismatch([](const auto& x) { return rms_norm(x[0], x[1]); }, on_rows(9, rms),
                          {operands[0], operands[1]}) == "");
  const auto plain = []<typename Number>(const std::vector<Number>& row, const auto&) {
    return reference::layer_norm(row, std::vector<Number>(6, 1.0), std::vector<Number>(6, 0.0), 1e-5);
  };
  CHECK(gradient_mismatch([](const auto& x) { return layer_norm(x[0], {}, {}, 1e-5f, 1).output; }, on_rows(6, plain),
                          {random_tensor({2, 2, 3}, 4)}) == "");
}

TEST_CASE("norms: a broadcast weight gets the sum", "[tensor][gradient]") {
  const auto rms = []<typename Number>(const std::vector<Number>& row, const Flat<Number>& x) {
    const std::vector<Number> weight = {x[1][0], x[1][0], x[1][1], x[1][1]};
    return reference::rms_norm(row, weight, 1e-5);
  };
  CHECK(gradient_mismatch([](const auto& x) { return rms_norm(x[0], x[1], 1e-5f, 1); }, on_rows(4, rms),
                          {random_tensor({3, 2, 2}, 1), random_tensor({2, 1}, 2)}) == "");
}

TEST_CASE("layout: gradients follow the numbers", "[tensor][gradient]") {
  const std::vector<Tensor> x = {random_tensor({2, 3, 4}, 1)};
  const auto moved = [](std::vector<std::size_t> order) {
    return [order](const auto& operands) {
      std::decay_t<decltype(operands[0])> output;
      for (std::size_t index : order) output.push_back(operands[0][index]);
      return output;
    };
  };
  std::vector<std::size_t> transposed;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 2; ++i) transposed.push_back(i * 12 + j * 4 + k);
  CHECK(gradient_mismatch([](const auto& v) { return transpose(v[0], 0, 2); }, moved(transposed), x) == "");
  CHECK(gradient_mismatch([](const auto& v) { return slice(v[0], 1, 1, 2); }, moved({4, 5, 6, 7, 16, 17, 18, 19}), x) ==
        "");
  std::vector<std::size_t> twice;
  for (std::size_t i : std::vector<std::size_t>{0, 0, 1, 1})
    for (std::size_t j = 0; j < 12; ++j) twice.push_back(i * 12 + j);
  CHECK(gradient_mismatch(
            [](const auto& v) {
              const Tensor halves = concat({v[0], v[0]}, 1);
              return halves;
            },
            moved(twice), x) == "");
  CHECK(gradient_mismatch([](const auto& v) { return merge_heads(split_heads(v[0], 2)); },
                          [](const auto& operands) { return operands[0]; }, x) == "");
  CHECK(gradient_mismatch(
            [](const auto& v) {
              return gather_rows(v[0], {2, 0, 2});
            },
            moved({4, 5, 0, 1, 4, 5}), {random_tensor({3, 2}, 1)}) == "");
}

TEST_CASE("rotary: the gradient turns back", "[tensor][gradient]") {
  const Tensor cos = random_tensor({2, 2}, 2);
  const Tensor sin = random_tensor({2, 2}, 3);
  for (auto pairing : {kernels::RotaryPairing::interleaved, kernels::RotaryPairing::half}) {
    const bool interleaved = pairing == kernels::RotaryPairing::interleaved;
    const auto turned = [&]<typename Number>(const Flat<Number>& x) {
      std::vector<Number> output = x[0];
      for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t i = 0; i < 2; ++i) {
          const std::size_t a = row * 5 + (interleaved ? 2 * i : i);
          const std::size_t b = row * 5 + (interleaved ? 2 * i + 1 : i + 2);
          const double c = static_cast<double>(cos.values()[row % 2 * 2 + i]);
          const double s = static_cast<double>(sin.values()[row % 2 * 2 + i]);
          output[a] = x[0][a] * c - x[0][b] * s;
          output[b] = x[0][a] * s + x[0][b] * c;
        }
      }
      return output;
    };
    CHECK(gradient_mismatch([&](const auto& x) { return rotate_pairs(x[0], cos, sin, pairing); }, turned,
                            {random_tensor({2, 2, 5}, 1)}) == "");
  }
}
