// SPDX-License-Identifier: MIT
// K types: blocks packed here from scales and numbers, as llama.cpp packs them, give those numbers back.
#include <array>
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

constexpr std::size_t kBlock = 256;

struct Packed {
  std::vector<std::byte> bytes;
  std::vector<double> weights;
};

int below(lookback::Random& random, std::uint32_t n) { return static_cast<int>(random.next_u32() % n); }

std::byte byte_of(int low, int high) { return static_cast<std::byte>(low | high << 4); }

double put_half(std::vector<std::byte>& bytes, std::size_t place, float value) {
  const std::uint16_t half = float_to_half(value);
  std::memcpy(bytes.data() + place, &half, sizeof half);
  return static_cast<double>(half_to_float(half));
}

Packed q4_k_block(lookback::Random& random) {
  Packed result{std::vector<std::byte>(144), std::vector<double>(kBlock)};
  const double d = put_half(result.bytes, 0, random.uniform() * 0.01f);
  const double m = put_half(result.bytes, 2, random.uniform() * 0.02f);
  std::byte* const scales = result.bytes.data() + 4;
  std::byte* const numbers = result.bytes.data() + 16;
  for (std::size_t part = 0; part < 8; ++part) {
    const int scale = below(random, 64), least = below(random, 64);
    if (part < 4) {
      scales[part] |= static_cast<std::byte>(scale);
      scales[part + 4] |= static_cast<std::byte>(least);
    } else {
      scales[part + 4] |= byte_of(scale & 15, least & 15);
      scales[part - 4] |= static_cast<std::byte>(scale >> 4 << 6);
      scales[part] |= static_cast<std::byte>(least >> 4 << 6);
    }
    for (std::size_t i = 0; i < 32; ++i) {
      const int number = below(random, 16);
      numbers[part / 2 * 32 + i] |= part % 2 == 0 ? byte_of(number, 0) : byte_of(0, number);
      result.weights[part * 32 + i] = d * scale * number - m * least;
    }
  }
  return result;
}

Packed q6_k_block(lookback::Random& random) {
  Packed result{std::vector<std::byte>(210), std::vector<double>(kBlock)};
  const double d = put_half(result.bytes, 208, random.uniform() * 0.01f);
  std::array<int, kBlock> numbers{};
  for (std::size_t part = 0; part < 16; ++part) {
    const int scale = below(random, 256) - 128;
    result.bytes[192 + part] = static_cast<std::byte>(static_cast<std::int8_t>(scale));
    for (std::size_t i = part * 16; i < part * 16 + 16; ++i) {
      numbers[i] = below(random, 64);
      result.weights[i] = d * scale * (numbers[i] - 32);
    }
  }
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::size_t i = 0; i < 32; ++i) {
      const int* const n = numbers.data() + half * 128 + i;
      result.bytes[half * 64 + i] = byte_of(n[0] & 15, n[64] & 15);
      result.bytes[half * 64 + 32 + i] = byte_of(n[32] & 15, n[96] & 15);
      result.bytes[128 + half * 32 + i] =
          static_cast<std::byte>(n[0] >> 4 | n[32] >> 4 << 2 | n[64] >> 4 << 4 | n[96] >> 4 << 6);
    }
  }
  return result;
}

/// A matrix of packed blocks that begins one byte after an aligned address.
Packed matrix(WeightType type, std::int64_t num_blocks) {
  lookback::Random random(static_cast<std::uint64_t>(num_blocks));
  Packed result{{std::byte{0}}, {}};
  for (std::int64_t b = 0; b < num_blocks; ++b) {
    const Packed block = type == WeightType::q4_k ? q4_k_block(random) : q6_k_block(random);
    result.bytes.insert(result.bytes.end(), block.bytes.begin(), block.bytes.end());
    result.weights.insert(result.weights.end(), block.weights.begin(), block.weights.end());
  }
  return result;
}

}  // namespace

TEST_CASE("K types: packed numbers are read back", "[kernels]") {
  const WeightType type = GENERATE(WeightType::q4_k, WeightType::q6_k);
  CAPTURE(name_of(type));
  const Packed packed = matrix(type, 6);
  REQUIRE(row_bytes(type, 3 * 256) * 2 + 1 == static_cast<std::int64_t>(packed.bytes.size()));
  const WeightView view{type, 2, 3 * 256, packed.bytes.data() + 1};
  std::vector<float> rows(6 * kBlock);
  read_row(view, 0, rows.data());
  read_row(view, 1, rows.data() + 3 * kBlock);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("weight " << i);
    REQUIRE(std::abs(static_cast<double>(rows[i]) - packed.weights[i]) <= 1e-6 * std::abs(packed.weights[i]) + 1e-7);
  }
}

TEST_CASE("K types: products are those of the widened weights", "[kernels]") {
  const WeightType type = GENERATE(WeightType::q4_k, WeightType::q6_k);
  const std::int64_t tokens = GENERATE(1, 3, 9);
  CAPTURE(name_of(type), tokens);
  const Packed packed = matrix(type, 5 * 2);
  const WeightView view{type, 5, 2 * 256, packed.bytes.data() + 1};
  lookback::Random random(7);
  std::vector<float> x(static_cast<std::size_t>(tokens) * 512);
  for (float& value : x) value = random.uniform() - 0.5f;
  std::vector<float> output(static_cast<std::size_t>(tokens) * 5),
      scratch(static_cast<std::size_t>(linear_scratch(tokens, 512)));
  linear(x.data(), tokens, view, output.data(), scratch.data());
  for (std::size_t t = 0; t < static_cast<std::size_t>(tokens); ++t) {
    for (std::size_t r = 0; r < 5; ++r) {
      double sum = 0.0, size = 0.0;
      for (std::size_t c = 0; c < 512; ++c) {
        const double product = static_cast<double>(x[t * 512 + c]) * packed.weights[r * 512 + c];
        sum += product;
        size += std::abs(product);
      }
      REQUIRE(std::abs(static_cast<double>(output[t * 5 + r]) - sum) <= 1e-5 * size);
    }
  }
}

TEST_CASE("K types: a scale that is not finite makes its weights so", "[kernels]") {
  const WeightType type = GENERATE(WeightType::q4_k, WeightType::q6_k);
  Packed packed = matrix(type, 2);
  put_half(packed.bytes, 1 + (type == WeightType::q4_k ? 0 : 208), std::numeric_limits<float>::quiet_NaN());
  std::vector<float> row(2 * kBlock);
  read_row({type, 1, 2 * 256, packed.bytes.data() + 1}, 0, row.data());
  for (std::size_t i = 0; i < kBlock; ++i) REQUIRE(std::isnan(row[i]));
  for (std::size_t i = kBlock; i < 2 * kBlock; ++i) REQUIRE(std::isfinite(row[i]));
}
