// SPDX-License-Identifier: MIT
// Every matrix product kernel, forced by name, in all four layouts.
#include "lookback/kernels/matmul.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/kernels/reference/matmul.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

/// Numbers that no product contains stand in the output before, and behind it: both must be right afterwards.
std::vector<float> product(MatmulKernel kernel, const std::vector<float>& a, const std::vector<float>& b,
                           const MatmulSizes& sizes) {
  constexpr float kGuard = 12345.0f;
  const auto size = static_cast<std::size_t>(sizes.rows * sizes.cols);
  std::vector<float> output(size + 8, kGuard);
  matmul_with(kernel, a.data(), b.data(), output.data(), sizes);
  for (std::size_t i = size; i < output.size(); ++i) REQUIRE(output[i] == kGuard);
  output.resize(size);
  return output;
}

}  // namespace

TEST_CASE("matmul: a product by hand", "[kernels]") {
  const MatmulKernel kernel = GENERATE(MatmulKernel::naive, MatmulKernel::tiled);
  CHECK_THAT(product(kernel, counted(6), counted(6), {.rows = 2, .cols = 2, .inner = 3}),
             close_to({22, 28, 49, 64}, kExact));
  CHECK_THAT(product(kernel, {1, 10}, {1, 2, 3, 4}, {.rows = 1, .cols = 2, .inner = 2, .transpose_b = true}),
             close_to({21, 43}, kExact));
}

TEST_CASE("matmul: every kernel and layout equals the double reference", "[kernels][reference]") {
  const MatmulKernel kernel = GENERATE(MatmulKernel::naive, MatmulKernel::tiled);
  const bool transpose_a = GENERATE(false, true);
  const bool transpose_b = GENERATE(false, true);
  // Around the tile of 4 x 8, the dot's step of 16, and extents of 0 and 1.
  const auto [rows, cols, inner] = GENERATE(table<std::int64_t, std::int64_t, std::int64_t>({
      {0, 3, 2},
      {3, 0, 2},
      {2, 3, 0},
      {1, 1, 1},
      {1, 8, 5},
      {4, 8, 1},
      {4, 8, 16},
      {5, 9, 17},
      {3, 7, 15},
      {8, 16, 32},
      {7, 31, 33},
      {1, 129, 64},
      {129, 1, 7},
      {12, 24, 3},
      {33, 47, 65},
      {2, 500, 11},
      {17, 5, 300},
  }));
  const MatmulSizes sizes{
      .rows = rows, .cols = cols, .inner = inner, .transpose_a = transpose_a, .transpose_b = transpose_b};
  const std::vector<float> a = random_numbers(rows * inner, 41);
  const std::vector<float> b = random_numbers(inner * cols, 42);
  CAPTURE(rows, cols, inner, transpose_a, transpose_b);
  CHECK_THAT(product(kernel, a, b, sizes), close_to(reference::matmul(a.data(), b.data(), sizes)));
}

TEST_CASE("matmul: without a name it takes the tiled kernel", "[kernels]") {
  const MatmulSizes sizes{.rows = 5, .cols = 11, .inner = 70};
  const std::vector<float> a = random_numbers(5 * 70, 43);
  const std::vector<float> b = random_numbers(70 * 11, 44);
  std::vector<float> output(55);
  matmul(a.data(), b.data(), output.data(), sizes);
  CHECK_THAT(output, close_to(product(MatmulKernel::tiled, a, b, sizes), kExact));
}

TEST_CASE("matmul: the name chooses the kernel", "[kernels]") {
  // Sums of a row of 17 differ in the last bits: three loops add from the left, tiles and dots in lanes.
  std::vector<float> ones_and_tiny(17, 0x1p-24f);
  ones_and_tiny[0] = 1.0f;
  const std::vector<float> ones(17, 1.0f);
  const MatmulSizes sizes{.rows = 1, .cols = 1, .inner = 17, .transpose_b = true};
  CHECK(product(MatmulKernel::naive, ones_and_tiny, ones, sizes)[0] == 1.0f);
  CHECK(product(MatmulKernel::tiled, ones_and_tiny, ones, sizes)[0] > 1.0f);
}

TEST_CASE("matmul: zeros do not hide NaN and infinities", "[kernels]") {
  const MatmulKernel kernel = GENERATE(MatmulKernel::naive, MatmulKernel::tiled);
  const float infinity = std::numeric_limits<float>::infinity();
  const std::int64_t cols = GENERATE(1, 8, 9);
  std::vector<float> b(static_cast<std::size_t>(2 * cols), 1.0f);
  b.front() = infinity;
  std::vector<float> a(8);
  const std::vector<float> output = product(kernel, a, b, {.rows = 4, .cols = cols, .inner = 2});
  CHECK(std::isnan(output[0]));
  if (cols > 1) CHECK(output[1] == 0.0f);
}

TEST_CASE("dot: equals the sum of products at every length", "[kernels][reference]") {
  const std::int64_t n = GENERATE(0, 1, 3, 15, 16, 17, 31, 32, 48, 65, 1000);
  const std::vector<float> a = random_numbers(n, 45);
  const std::vector<float> b = random_numbers(n, 46);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  CHECK_THAT(std::vector<float>{dot(a.data(), b.data(), n)}, close_to({sum}));
}
