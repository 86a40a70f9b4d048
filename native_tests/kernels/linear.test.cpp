// SPDX-License-Identifier: MIT
// Products with weights in a file's type and layout.
#include "lookback/kernels/linear.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstring>
#include <vector>

#include "lookback/kernels/half.hpp"
#include "lookback/kernels/reference/matmul.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

/// The numbers as a file stores them, `shift` bytes after an aligned address.
std::vector<std::byte> stored(const std::vector<float>& numbers, WeightType type, std::size_t shift) {
  const std::size_t width = type == WeightType::f32 ? 4 : 2;
  std::vector<std::byte> bytes(shift + numbers.size() * width);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint16_t half = float_to_half(numbers[i]);
    const void* source = type == WeightType::f32 ? static_cast<const void*>(&numbers[i]) : &half;
    std::memcpy(bytes.data() + shift + i * width, source, width);
  }
  return bytes;
}

std::vector<float> product(const std::vector<float>& x, std::int64_t num_rows, const WeightView& weight) {
  std::vector<float> output(static_cast<std::size_t>(num_rows * weight.rows), -1.0f);
  std::vector<float> scratch(static_cast<std::size_t>(linear_scratch(num_rows, weight.cols)));
  linear(x.data(), num_rows, weight, output.data(), scratch.data());
  return output;
}

}  // namespace

TEST_CASE("linear: a square weight is [out, in]", "[kernels]") {
  const WeightType type = GENERATE(WeightType::f32, WeightType::f16);
  const auto bytes = stored({1, 2, 3, 4}, type, 0);
  CHECK_THAT(product({1, 10}, 1, {type, 2, 2, bytes.data()}), close_to({21, 43}, kExact));
}

TEST_CASE("read_row: the row's numbers, at any address", "[kernels]") {
  const WeightType type = GENERATE(WeightType::f32, WeightType::f16);
  const std::size_t shift = GENERATE(0u, 1u, 2u);
  const auto bytes = stored(counted(6), type, shift);
  std::vector<float> row(3);
  read_row({type, 2, 3, bytes.data() + shift}, 1, row.data());
  CHECK_THAT(row, close_to({4, 5, 6}, kExact));
  CHECK(row_bytes(type, 3) == (type == WeightType::f32 ? 12 : 6));
}

TEST_CASE("linear: equals the double reference in every type, size and alignment", "[kernels][reference]") {
  const WeightType type = GENERATE(WeightType::f32, WeightType::f16);
  const std::size_t shift = GENERATE(0u, 1u);
  const auto [tokens, rows, cols] = GENERATE(table<std::int64_t, std::int64_t, std::int64_t>(
      {{1, 1, 1}, {2, 3, 5}, {1, 4, 16}, {3, 2, 37}, {0, 2, 3}, {2, 0, 3}, {2, 3, 0}}));
  const std::vector<float> x = random_numbers(tokens * cols, 31);
  std::vector<float> weight = random_numbers(rows * cols, 32);
  const auto bytes = stored(weight, type, shift);
  if (type == WeightType::f16) {
    for (float& value : weight) value = half_to_float(float_to_half(value));
  }
  const MatmulSizes sizes{.rows = tokens, .cols = rows, .inner = cols, .transpose_b = true};
  CHECK_THAT(product(x, tokens, {type, rows, cols, bytes.data() + shift}),
             close_to(reference::matmul(x.data(), weight.data(), sizes)));
}
