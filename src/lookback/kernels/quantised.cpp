// SPDX-License-Identifier: MIT
// Block formats of GGUF, and activations in blocks.
#include "lookback/kernels/quantised.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/kernels/half.hpp"
#include "lookback/kernels/k_quants.hpp"
#include "lookback/kernels/quantised_blocks.hpp"

namespace lookback::kernels {

namespace {

struct BlockRange {
  float largest = 0.0f;
  bool is_finite = true;
};

BlockRange range_of(const float* x) {
  BlockRange range;
  for (int i = 0; i < kBlockSize; ++i) {
    range.is_finite &= std::isfinite(x[i]);
    range.largest = std::max(range.largest, std::abs(x[i]));
  }
  return range;
}

void quantise_block(const float* x, float& scale, std::int16_t* q) {
  constexpr float kLargest = 127.0f;
  const BlockRange range = range_of(x);
  scale = range.is_finite ? range.largest / kLargest : std::numeric_limits<float>::quiet_NaN();
  // Too small a scale has no reciprocal; such a block counts as 0.
  if (!(scale >= std::numeric_limits<float>::min())) return std::fill_n(q, kBlockSize, std::int16_t{0}), void();
  const float inverse = kLargest / range.largest;
  for (int i = 0; i < kBlockSize; ++i) q[i] = static_cast<std::int16_t>(std::nearbyint(x[i] * inverse));
}

/// Result: the block's offset.
float to_signed_bytes(const std::int16_t* q, std::byte* numbers) {
  int offset = 0;
  for (int i = 0; i < kBlockSize; ++i) {
    numbers[i] = static_cast<std::byte>(std::abs(q[i]));
    numbers[kBlockSize + i] = q[i] < 0 ? std::byte{0xFF} : std::byte{0};
    offset += q[i] < 0 ? -q[i] : 0;
  }
  return static_cast<float>(offset);
}

float to_bytes(const std::int16_t* q, std::byte* numbers) {
  int sum = 0;
  for (int i = 0; i < kBlockSize; ++i) {
    numbers[i] = static_cast<std::byte>(q[i]);
    sum += q[i];
  }
  return static_cast<float>(-8 * sum);
}

/// 2^n for n of normal numbers.
float exact_power_of_two(std::uint32_t n_plus_127) { return std::bit_cast<float>(n_plus_127 << 23); }

bool split_block(const float* x, float& scale, std::int16_t* q) {
  const BlockRange range = range_of(x);
  scale = 0.0f;
  if (range.is_finite && range.largest == 0.0f) return std::fill_n(q, 2 * kBlockSize, std::int16_t{0}), true;
  if (!range.is_finite || range.largest < 0x1p-90f || range.largest > 0x1p100f) return false;
  // The largest becomes a number in [2^13, 2^14): sums of eight products with int8 are then exact in f32 as well.
  const std::uint32_t exponent = std::bit_cast<std::uint32_t>(range.largest) >> 23;
  scale = exact_power_of_two(exponent - 13);
  const float inverse = exact_power_of_two(254 + 13 - exponent);
  for (int i = 0; i < kBlockSize; ++i) {
    const float scaled = x[i] * inverse;
    const float high = std::nearbyint(scaled);
    q[i] = static_cast<std::int16_t>(high);
    q[kBlockSize + i] = static_cast<std::int16_t>(std::nearbyint((scaled - high) * 0x1p15f));
  }
  return true;
}

float scale_of(const std::byte* block) {
  std::uint16_t half;
  std::memcpy(&half, block, sizeof half);
  return half_to_float(half);
}

void dequantise_q8_0(const std::byte* block, float* output) {
  const float scale = scale_of(block);
  for (int i = 0; i < 32; ++i) output[i] = scale * static_cast<float>(static_cast<std::int8_t>(block[2 + i]));
}

void dequantise_q4_0(const std::byte* block, float* output) {
  const float scale = scale_of(block);
  for (int i = 0; i < 16; ++i) {
    output[i] = scale * static_cast<float>(static_cast<int>(block[2 + i] & std::byte{15}) - 8);
    output[16 + i] = scale * static_cast<float>(static_cast<int>(block[2 + i] >> 4) - 8);
  }
}

}  // namespace

void dequantise_row(WeightType type, const std::byte* row, std::int64_t cols, float* output) {
  const auto each_block = [&](auto dequantise) {
    const std::int64_t length = block_length(type), stride = row_bytes(type, length);
    for (std::int64_t b = 0; b < cols / length; ++b) dequantise(row + b * stride, output + b * length);
  };
  switch (type) {
    case WeightType::q8_0: return each_block(dequantise_q8_0);
    case WeightType::q4_0: return each_block(dequantise_q4_0);
    case WeightType::q4_k: return each_block(dequantise_q4_k);
    case WeightType::q6_k: return each_block(dequantise_q6_k);
    default: LOOKBACK_ASSERT(false);
  }
}

std::int64_t prepared_row_floats(std::int64_t cols, Form form) {
  const std::int64_t blocks = cols / kBlockSize;
  return numbers_begin(blocks, form) + blocks * block_numbers_bytes(form) / 4;
}

bool prepare_row(const float* x, std::int64_t cols, Form form, float* room) {
  const std::int64_t blocks = cols / kBlockSize;
  const std::int64_t begin = numbers_begin(blocks, form);
  auto* numbers = reinterpret_cast<std::byte*>(room + begin);
  std::fill_n(room, begin, 0.0f);
  for (std::int64_t b = 0; b < blocks; ++b, x += kBlockSize, numbers += block_numbers_bytes(form)) {
    if (form == Form::two_int16) {
      if (!split_block(x, room[b], reinterpret_cast<std::int16_t*>(numbers))) return false;
      continue;
    }
    std::int16_t q[kBlockSize];
    quantise_block(x, room[b], q);
    if (has_offsets(form)) {
      room[padded_blocks(blocks) + b] = form == Form::bytes ? to_bytes(q, numbers) : to_signed_bytes(q, numbers);
    } else {
      std::memcpy(numbers, q, sizeof q);
    }
  }
  return true;
}

}  // namespace lookback::kernels
