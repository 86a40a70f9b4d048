// SPDX-License-Identifier: MIT
// The matrix product against Eigen's, an implementation that shares nothing with ours.
#include <Eigen/Core>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <vector>

#include "lookback/kernels/matmul.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {
// Eigen is column-major unless told otherwise.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Operand = Eigen::Map<const Matrix>;

Operand operand(const std::vector<float>& numbers, std::int64_t rows, std::int64_t cols) {
  return Operand(numbers.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
}
}  // namespace

TEST_CASE("matmul: equals Eigen's product in all four layouts", "[kernels][reference]") {
  const bool transpose_a = GENERATE(false, true);
  const bool transpose_b = GENERATE(false, true);
  const auto [rows, cols, inner] = GENERATE(
      table<std::int64_t, std::int64_t, std::int64_t>({{3, 5, 7}, {16, 64, 128}, {65, 33, 129}, {1, 256, 96}}));
  const std::vector<float> a = random_numbers(rows * inner, 47);
  const std::vector<float> b = random_numbers(inner * cols, 48);
  const Operand left = operand(a, transpose_a ? inner : rows, transpose_a ? rows : inner);
  const Operand right = operand(b, transpose_b ? cols : inner, transpose_b ? inner : cols);
  const Matrix plain_left = transpose_a ? Matrix(left.transpose()) : Matrix(left);
  const Matrix plain_right = transpose_b ? Matrix(right.transpose()) : Matrix(right);
  const Matrix expected = plain_left * plain_right;
  std::vector<float> output(static_cast<std::size_t>(rows * cols));
  const MatmulSizes sizes{rows, cols, inner, transpose_a, transpose_b};
  std::vector<float> scratch(static_cast<std::size_t>(matmul_scratch(sizes)));
  matmul(a.data(), b.data(), output.data(), sizes, scratch.data());
  CHECK_THAT(output, close_to(std::vector<float>(expected.data(), expected.data() + expected.size())));
}
