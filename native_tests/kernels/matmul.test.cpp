// SPDX-License-Identifier: MIT
// Every matrix product kernel, forced by name, in all four layouts.
#include "lookback/kernels/matmul.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/matmul_tile.hpp"
#include "lookback/kernels/reference/matmul.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kGuard = 12345.0f;

MatmulKernel any_kernel() {
  return GENERATE(MatmulKernel::naive, MatmulKernel::row, MatmulKernel::direct, MatmulKernel::packed);
}

/// Numbers that no product contains stand in the output before, and behind it: both must be right afterwards.
std::vector<float> product(MatmulKernel kernel, const std::vector<float>& a, const std::vector<float>& b,
                           const MatmulSizes& sizes, const MatmulExtras& extras = {}, float before = kGuard) {
  const auto size = static_cast<std::size_t>(sizes.rows * sizes.cols);
  std::vector<float> output(size + 8, kGuard);
  std::fill_n(output.begin(), size, before);
  const auto needed = static_cast<std::size_t>(matmul_tiled_scratch(sizes));
  // A product may depend on nothing that stood in the scratch before, nor write behind it.
  std::vector<float> scratch(needed + 8, std::numeric_limits<float>::quiet_NaN());
  std::fill(scratch.begin() + static_cast<std::ptrdiff_t>(needed), scratch.end(), kGuard);
  matmul_with(kernel, a.data(), b.data(), output.data(), sizes, scratch.data(), extras);
  for (std::size_t i = needed; i < scratch.size(); ++i) REQUIRE(scratch[i] == kGuard);
  for (std::size_t i = size; i < output.size(); ++i) REQUIRE(output[i] == kGuard);
  output.resize(size);
  return output;
}

}  // namespace

TEST_CASE("matmul: a product by hand", "[kernels]") {
  const MatmulKernel kernel = GENERATE(MatmulKernel::naive, MatmulKernel::direct, MatmulKernel::packed);
  CHECK_THAT(product(kernel, counted(6), counted(6), {.rows = 2, .cols = 2, .inner = 3}),
             close_to({22, 28, 49, 64}, kExact));
  CHECK_THAT(product(MatmulKernel::row, {1, 10}, {1, 2, 3, 4}, {.rows = 1, .cols = 2, .inner = 2, .transpose_b = true}),
             close_to({21, 43}, kExact));
}

TEST_CASE("matmul: every kernel and layout equals the double reference", "[kernels][reference]") {
  const MatmulKernel kernel = any_kernel();
  const bool transpose_a = GENERATE(false, true);
  const bool transpose_b = GENERATE(false, true);
  // Around every target's tile, the steps of dots and streams, and extents of 0 and 1.
  const auto [rows, cols, inner] = GENERATE(table<std::int64_t, std::int64_t, std::int64_t>({
      {0, 3, 2},    {3, 0, 2},    {2, 3, 0},   {1, 1, 1},   {1, 8, 5},    {4, 8, 1},   {4, 8, 16},
      {5, 9, 17},   {3, 7, 15},   {8, 16, 32}, {7, 31, 33}, {1, 129, 64}, {129, 1, 7}, {12, 24, 3},
      {33, 47, 65}, {2, 500, 11}, {1, 70, 9},  {70, 1, 33}, {17, 5, 300}, {13, 64, 5},
  }));
  const MatmulSizes sizes{
      .rows = rows, .cols = cols, .inner = inner, .transpose_a = transpose_a, .transpose_b = transpose_b};
  if (!can_matmul_with(kernel, sizes)) {
    SUCCEED("not for this kernel");
    return;
  }
  const std::vector<float> a = random_numbers(rows * inner, 41);
  const std::vector<float> b = random_numbers(inner * cols, 42);
  CAPTURE(rows, cols, inner, transpose_a, transpose_b);
  CHECK_THAT(product(kernel, a, b, sizes), close_to(reference::matmul(a.data(), b.data(), sizes)));
}

TEST_CASE("matmul: several blocks in every direction equal the double reference", "[kernels][reference]") {
  const MatmulKernel kernel = GENERATE(MatmulKernel::direct, MatmulKernel::packed);
  const bool transpose_a = GENERATE(false, true);
  const bool transpose_b = GENERATE(false, true);
  const MatmulSizes sizes{
      .rows = 211, .cols = 1037, .inner = 401, .transpose_a = transpose_a, .transpose_b = transpose_b};
  const std::vector<float> a = random_numbers(sizes.rows * sizes.inner, 51);
  const std::vector<float> b = random_numbers(sizes.inner * sizes.cols, 52);
  // Sums of 401 products of size up to 1 reach 20: roundings grow with them.
  CHECK_THAT(product(kernel, a, b, sizes), close_to(reference::matmul(a.data(), b.data(), sizes), {4e-5, 4e-5}));
}

TEST_CASE("matmul: bias and what was there are added once", "[kernels][reference]") {
  const MatmulKernel kernel = any_kernel();
  const bool accumulate = GENERATE(false, true);
  const auto [rows, cols, inner] = GENERATE(
      table<std::int64_t, std::int64_t, std::int64_t>({{6, 40, 5}, {1, 37, 9}, {37, 1, 9}, {7, 11, 900}, {3, 4, 0}}));
  const MatmulSizes sizes{.rows = rows, .cols = cols, .inner = inner};
  if (!can_matmul_with(kernel, sizes)) {
    SUCCEED("not for this kernel");
    return;
  }
  const std::vector<float> a = random_numbers(rows * inner, 53);
  const std::vector<float> b = random_numbers(inner * cols, 54);
  const std::vector<float> bias = random_numbers(cols, 55);
  std::vector<double> expected = reference::matmul(a.data(), b.data(), sizes);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] += static_cast<double>(bias[i % bias.size()]) + (accumulate ? 3.0 : 0.0);
  }
  CHECK_THAT(product(kernel, a, b, sizes, {.bias = bias.data(), .accumulate = accumulate}, 3.0f),
             close_to(expected, {4e-5, 4e-5}));
}

TEST_CASE("matmul: without a name it takes the kernel that best_matmul_kernel names", "[kernels]") {
  CHECK(best_matmul_kernel({.rows = 5, .cols = 3, .inner = 0}) == MatmulKernel::naive);
  CHECK(best_matmul_kernel({.rows = 1, .cols = 64, .inner = 64}) == MatmulKernel::row);
  CHECK(best_matmul_kernel({.rows = 64, .cols = 1, .inner = 64}) == MatmulKernel::row);
  CHECK(best_matmul_kernel({.rows = 64, .cols = 64, .inner = 64}) == MatmulKernel::direct);
  CHECK(best_matmul_kernel({.rows = 512, .cols = 512, .inner = 512}) == MatmulKernel::packed);
  const auto [rows, cols, inner] =
      GENERATE(table<std::int64_t, std::int64_t, std::int64_t>({{1, 60, 33}, {5, 11, 70}, {150, 90, 100}, {4, 6, 0}}));
  const MatmulSizes sizes{.rows = rows, .cols = cols, .inner = inner};
  const std::vector<float> a = random_numbers(rows * inner, 43);
  const std::vector<float> b = random_numbers(inner * cols, 44);
  std::vector<float> output(static_cast<std::size_t>(rows * cols));
  std::vector<float> scratch(static_cast<std::size_t>(matmul_scratch(sizes)));
  matmul(a.data(), b.data(), output.data(), sizes, scratch.data());
  CHECK_THAT(output, close_to(product(best_matmul_kernel(sizes), a, b, sizes), kExact));
}

TEST_CASE("matmul: the name chooses the kernel", "[kernels]") {
  // Sums of a one and many tiny numbers: three loops and tiles add from the left and lose every tiny number,
  // dots add in lanes and keep most.
  constexpr int kCount = 8 * kLanes;
  std::vector<float> ones_and_tiny(kCount, 0x1p-24f);
  ones_and_tiny[0] = 1.0f;
  const std::vector<float> ones(kCount, 1.0f);
  const MatmulSizes sizes{.rows = 1, .cols = 1, .inner = kCount, .transpose_b = true};
  CHECK(product(MatmulKernel::naive, ones_and_tiny, ones, sizes)[0] == 1.0f);
  CHECK(product(MatmulKernel::direct, ones_and_tiny, ones, sizes)[0] == 1.0f);
  CHECK(product(MatmulKernel::row, ones_and_tiny, ones, sizes)[0] > 1.0f);
  // Only the packed kernel writes to the scratch what it could have read in place.
  const std::vector<float> a = random_numbers(6 * 4, 56);
  const std::vector<float> b = random_numbers(4 * tile::kTileCols, 57);
  const MatmulSizes in_place{.rows = 6, .cols = tile::kTileCols, .inner = 4};
  std::vector<float> scratch(static_cast<std::size_t>(matmul_tiled_scratch(in_place)));
  std::vector<float> output(static_cast<std::size_t>(6 * tile::kTileCols));
  matmul_with(MatmulKernel::direct, a.data(), b.data(), output.data(), in_place, scratch.data());
  CHECK_THAT(scratch, close_to(std::vector<float>(scratch.size()), kExact));
  matmul_with(MatmulKernel::packed, a.data(), b.data(), output.data(), in_place, scratch.data());
  CHECK(std::vector<float>(scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(b.size())) == b);
}

TEST_CASE("matmul: scratch is bounded, whatever the sizes", "[kernels]") {
  for (std::int64_t extent : {1, 7, 100, 511, 1025, 40000}) {
    CHECK(matmul_scratch({.rows = extent, .cols = extent, .inner = extent}) <= 1 << 18);
  }
}

TEST_CASE("matmul: zeros do not hide NaN and infinities", "[kernels]") {
  const MatmulKernel kernel = GENERATE(MatmulKernel::naive, MatmulKernel::direct, MatmulKernel::packed);
  const float infinity = std::numeric_limits<float>::infinity();
  const std::int64_t cols = GENERATE(1, 8, 9);
  std::vector<float> b(static_cast<std::size_t>(2 * cols), 1.0f);
  b.front() = infinity;
  std::vector<float> a(8);
  const std::vector<float> output = product(kernel, a, b, {.rows = 4, .cols = cols, .inner = 2});
  CHECK(std::isnan(output[0]));
  if (cols > 1) CHECK(output[1] == 0.0f);
  const std::vector<float> row = product(MatmulKernel::row, {0.0f, 0.0f}, b, {.rows = 1, .cols = cols, .inner = 2});
  CHECK(std::isnan(row[0]));
  if (cols > 1) CHECK(row[1] == 0.0f);
}

TEST_CASE("dot: equals the sum of products at every length", "[kernels][reference]") {
  const std::int64_t n = GENERATE(0, 1, 3, 15, 16, 17, 31, 32, 48, 65, 1000);
  const std::vector<float> a = random_numbers(n, 45);
  const std::vector<float> b = random_numbers(n, 46);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  CHECK_THAT(std::vector<float>{dot(a.data(), b.data(), n)}, close_to({sum}));
}
