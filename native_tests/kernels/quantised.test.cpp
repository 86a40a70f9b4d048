// SPDX-License-Identifier: MIT
// Block-quantised weights: their formats by hand, products against the double reference, integers exact at the
// extremes.
#include "lookback/kernels/quantised.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/kernels/half.hpp"
#include "lookback/kernels/linear.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }

/// A matrix in a block format, beginning one byte after an aligned address, and its weights in double.
struct Quantised {
  WeightType type;
  std::int64_t rows, cols;
  std::vector<std::byte> bytes;
  std::vector<double> weights;
  WeightView view() const { return {type, rows, cols, bytes.data() + 1}; }
};

Quantised random_weights(WeightType type, std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  lookback::Random random(seed);
  Quantised result{type, rows, cols, {std::byte{0}}, {}};
  for (std::int64_t block = 0; block < rows * cols / kBlockSize; ++block) {
    const std::uint16_t half = float_to_half((random.uniform() - 0.3f) * 0.02f);
    const auto scale = static_cast<double>(half_to_float(half));
    result.bytes.push_back(static_cast<std::byte>(half & 255));
    result.bytes.push_back(static_cast<std::byte>(half >> 8));
    const std::size_t first = result.weights.size();
    result.weights.resize(first + 32);
    const int size = type == WeightType::q8_0 ? 32 : 16;
    for (std::size_t i = 0; i < count(size); ++i) {
      const auto byte = static_cast<std::uint8_t>(random.next_u32());
      result.bytes.push_back(static_cast<std::byte>(byte));
      if (type == WeightType::q8_0) {
        result.weights[first + i] = scale * static_cast<std::int8_t>(byte);
      } else {
        result.weights[first + i] = scale * ((byte & 15) - 8);
        result.weights[first + 16 + i] = scale * ((byte >> 4) - 8);
      }
    }
  }
  return result;
}

std::vector<float> product(const std::vector<float>& x, std::int64_t tokens, const Quantised& w,
                           Activations activations) {
  std::vector<float> output(count(tokens * w.rows), -1.0f);
  const std::int64_t needed = linear_scratch(tokens, w.cols);
  std::vector<float> scratch(count(needed + 1), 12345.0f);
  linear(x.data(), tokens, w.view(), output.data(), scratch.data(), activations);
  REQUIRE(scratch.back() == 12345.0f);
  return output;
}

std::vector<double> defined(const std::vector<double>& x, std::int64_t tokens, const Quantised& w) {
  std::vector<double> output;
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::int64_t r = 0; r < w.rows; ++r) {
      double sum = 0.0;
      for (std::int64_t i = 0; i < w.cols; ++i) sum += x[count(t * w.cols + i)] * w.weights[count(r * w.cols + i)];
      output.push_back(sum);
    }
  }
  return output;
}

/// Blocks of 32 by the definition: the nearest multiple of max |x| / 127.
std::vector<double> quantised_in_double(const std::vector<float>& x) {
  std::vector<double> result;
  for (std::size_t first = 0; first < x.size(); first += 32) {
    float largest = 0.0f;
    for (std::size_t i = 0; i < 32; ++i) largest = std::max(largest, std::abs(x[first + i]));
    const float scale = largest / 127.0f;
    for (std::size_t i = 0; i < 32; ++i) {
      const float multiple = largest == 0.0f ? 0.0f : std::nearbyint(x[first + i] * (127.0f / largest));
      result.push_back(static_cast<double>(scale) * static_cast<double>(multiple));
    }
  }
  return result;
}

WeightType any_block_type() { return GENERATE(WeightType::q8_0, WeightType::q4_0); }

}  // namespace

TEST_CASE("quantised rows: a block of each type by hand", "[kernels]") {
  std::vector<std::byte> q8(34), q4(18);
  const std::uint16_t half = float_to_half(0.5f);
  std::memcpy(q8.data(), &half, 2);
  std::memcpy(q4.data(), &half, 2);
  q8[2] = std::byte{0x80};  // -128
  q8[33] = std::byte{3};
  q4[2] = std::byte{0xF0};  // low half 0, high half 15
  std::vector<float> row(32);
  dequantise_row(WeightType::q8_0, q8.data(), 32, row.data());
  CHECK(row[0] == -64.0f);
  CHECK(row[1] == 0.0f);
  CHECK(row[31] == 1.5f);
  dequantise_row(WeightType::q4_0, q4.data(), 32, row.data());
  CHECK(row[0] == -4.0f);
  CHECK(row[16] == 3.5f);
  CHECK(row[1] == -4.0f);
  CHECK(row_bytes(WeightType::q8_0, 64) == 68);
  CHECK(row_bytes(WeightType::q4_0, 64) == 36);
}

TEST_CASE("quantised rows: every half is a scale", "[kernels]") {
  for (std::uint32_t half = 0; half < 65536; half += 7) {
    std::vector<std::byte> block(34);
    block[0] = static_cast<std::byte>(half & 255);
    block[1] = static_cast<std::byte>(half >> 8);
    block[2] = std::byte{1};
    std::vector<float> row(32);
    dequantise_row(WeightType::q8_0, block.data(), 32, row.data());
    const float expected = half_to_float(static_cast<std::uint16_t>(half));
    REQUIRE((std::isnan(expected) ? std::isnan(row[0]) : row[0] == expected));
  }
}

TEST_CASE("quantised linear: f32 activations meet the dequantised weights", "[kernels][reference]") {
  const WeightType type = any_block_type();
  const auto [tokens, rows, cols] = GENERATE(table<std::int64_t, std::int64_t, std::int64_t>(
      {{1, 1, 32}, {1, 5, 96}, {3, 7, 64}, {4, 65, 96}, {9, 130, 32}, {2, 3, 1024}, {6, 1, 0}}));
  const Quantised w = random_weights(type, rows, cols, 81);
  const std::vector<float> x = random_numbers(tokens * cols, 82);
  CHECK_THAT(product(x, tokens, w, Activations::f32), close_to(defined(to_doubles(x), tokens, w), {1e-4, 1e-5}));
}

TEST_CASE("quantised linear: int8 activations give what their definition gives", "[kernels][reference]") {
  const WeightType type = any_block_type();
  const auto [tokens, rows, cols] = GENERATE(table<std::int64_t, std::int64_t, std::int64_t>(
      {{1, 1, 32}, {1, 5, 96}, {3, 7, 64}, {4, 65, 96}, {9, 130, 32}, {2, 3, 1024}}));
  const Quantised w = random_weights(type, rows, cols, 83);
  const std::vector<float> x = random_numbers(tokens * cols, 84);
  CHECK_THAT(product(x, tokens, w, Activations::int8),
             close_to(defined(quantised_in_double(x), tokens, w), {1e-4, 1e-5}));
}

TEST_CASE("quantised linear: exact for every sign of the extremes", "[kernels]") {
  const Activations activations = GENERATE(Activations::f32, Activations::int8);
  const int weight_values[] = {-128, -127, -1, 0, 1, 126, 127};
  const int activation_values[] = {-127, 127, -126, -1, 0, 1, 64};
  constexpr std::int64_t kRows = 5;
  for (unsigned seed = 0; seed < 200; ++seed) {
    lookback::Random random(seed + 9);
    Quantised w = random_weights(WeightType::q8_0, kRows, 32, 1);
    std::vector<float> x(32);
    // Some hold one pair of values only: the largest sums there are.
    const bool is_uniform = seed < 14;
    for (float& value : x) {
      value = static_cast<float>(activation_values[is_uniform ? seed % 2 : random.next_u32() % 7]);
    }
    x[0] = x[0] < 0 ? -127.0f : 127.0f;
    std::vector<double> expected(kRows);
    for (std::size_t r = 0; r < kRows; ++r) {
      std::byte* block = w.bytes.data() + 1 + 34 * r;
      const std::uint16_t one = float_to_half(1.0f);
      std::memcpy(block, &one, 2);
      for (std::size_t i = 0; i < 32; ++i) {
        const int value = weight_values[is_uniform ? seed / 2 : random.next_u32() % 7];
        block[2 + i] = static_cast<std::byte>(value);
        expected[r] += value * static_cast<double>(x[i]);
      }
    }
    REQUIRE_THAT(product(x, 1, w, activations), close_to(expected, kExact));
  }
}

TEST_CASE("quantised linear: small numbers beside large ones keep 29 bits of the largest", "[kernels]") {
  const Quantised w = random_weights(any_block_type(), 6, 64, 87);
  const float unit = GENERATE(1.0f, 1e-20f, 1e25f);
  std::vector<float> x = random_numbers(64, 88);
  for (float& value : x) value *= unit;
  x[7] = 3000.0f * unit;
  x[40] = -5e6f * unit;
  // Where the large ones meet weights of 0, nothing hides what the small ones lost.
  Quantised without = w;
  for (std::int64_t r = 0; r < 6; ++r) {
    for (std::int64_t i : {7, 40}) {
      const std::int64_t block = 1 + (2 * r + i / 32) * row_bytes(w.type, 32) + 2;
      std::byte& byte = without.bytes[count(block + (w.type == WeightType::q8_0 ? i % 32 : i % 16))];
      byte = w.type == WeightType::q8_0 ? std::byte{0} : (byte & std::byte{0xF0}) | std::byte{8};
      without.weights[count(r * 64 + i)] = 0.0;
    }
  }
  const double lost = 32 * 2.6 * (3000.0 + 5e6) * 0x1p-29;
  for (const Quantised& weights : {w, without}) {
    const std::vector<float> actual = product(x, 1, weights, Activations::f32);
    const std::vector<double> expected = defined(to_doubles(x), 1, weights);
    for (std::size_t r = 0; r < 6; ++r) {
      const double scale = static_cast<double>(unit);
      CHECK_THAT(std::vector<float>{actual[r]}, close_to({expected[r]}, {scale * lost, 1e-6}));
    }
  }
}

TEST_CASE("quantised linear: f32 activations of any size, NaN and infinities included", "[kernels]") {
  const Quantised w = random_weights(any_block_type(), 5, 96, 89);
  std::vector<float> x = random_numbers(96, 90);
  for (float size : {1e-35f, 1e33f}) {
    std::vector<float> sized = x;
    for (float& value : sized) value *= size;
    const double slack = 1e-5 * static_cast<double>(size);
    CHECK_THAT(product(sized, 1, w, Activations::f32), close_to(defined(to_doubles(sized), 1, w), {slack, 1e-4}));
  }
  for (float spoiled : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    x[70] = spoiled;
    for (float y : product(x, 1, w, Activations::f32)) CHECK_FALSE(std::isfinite(y));
  }
}

TEST_CASE("quantised linear: blocks of zeros, of tiny numbers, of NaN", "[kernels]") {
  const Quantised w = random_weights(WeightType::q8_0, 2, 64, 85);
  std::vector<float> x(64);
  CHECK_THAT(product(x, 1, w, Activations::int8), close_to({0, 0}, kExact));
  x[3] = std::numeric_limits<float>::denorm_min();
  CHECK_THAT(product(x, 1, w, Activations::int8), close_to({0, 0}, {1e-30, 0.0}));
  for (float spoiled : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    x[40] = spoiled;
    for (float y : product(x, 1, w, Activations::int8)) CHECK(std::isnan(y));
  }
}

TEST_CASE("quantised linear: scales that are subnormal, negative, infinite or NaN", "[kernels]") {
  const WeightType type = any_block_type();
  // Seven blocks: four whose scales are read together, and three apart.
  const int spoiled = GENERATE(0, 2, 5);
  const Activations activations = GENERATE(Activations::f32, Activations::int8);
  Quantised w = random_weights(type, 1, 7 * 32, 86);
  const std::int64_t stride = row_bytes(type, 32);
  const auto set_scale = [&](std::uint16_t half) { std::memcpy(w.bytes.data() + 1 + spoiled * stride, &half, 2); };
  std::vector<float> x(7 * 32);
  x[count(spoiled * 32 + 1)] = 1.0f;
  std::vector<float> weights(7 * 32);
  for (const std::uint16_t half : {std::uint16_t{0x0001}, std::uint16_t{0x83FF}, std::uint16_t{0xC100}}) {
    set_scale(half);
    read_row(w.view(), 0, weights.data());
    const double expected = static_cast<double>(weights[count(spoiled * 32 + 1)]);
    CHECK_THAT(product(x, 1, w, activations), close_to({expected}, {0.0, 1e-6}));
  }
  for (const std::uint16_t half : {std::uint16_t{0x7C00}, std::uint16_t{0xFC00}, std::uint16_t{0x7E00}}) {
    set_scale(half);
    CHECK_FALSE(std::isfinite(product(x, 1, w, activations)[0]));
  }
}
