// SPDX-License-Identifier: MIT
// Block formats of GGUF. A quantised row of activations: the scales of its blocks, then their prepared int8.
#include "lookback/kernels/quantised.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/kernels/half.hpp"
#include "lookback/kernels/simd_int8.hpp"

namespace lookback::kernels {

namespace {

constexpr std::int64_t kPreparedFloats = kPreparedBytes / 4;

/// half_to_float, quick for what scales are.
inline float read_scale(const std::byte* bytes) {
  std::uint16_t half;
  std::memcpy(&half, bytes, sizeof half);
  const std::uint32_t magnitude = half & 0x7FFFu;
  if (magnitude >= 0x7C00u) [[unlikely]]
    return half_to_float(half);
  const std::uint32_t sign = half & 0x8000u;
  // Read as f32 the exponent is short of 2^112, also for subnormal halves.
  return std::bit_cast<float>(sign << 16 | magnitude << 13) * 0x1p112f;
}

inline void read_block(WeightType type, const std::byte* block, Bytes& low, Bytes& high) {
  if (type == WeightType::q8_0) {
    low = load_bytes(block + 2);
    high = load_bytes(block + 18);
    return;
  }
  const Nibbles nibbles = load_nibbles(block + 2);
  low = nibbles.low;
  high = nibbles.high;
}

/// kCount rows at once: what is loaded of the activations serves them all.
template <WeightType type, int kCount>
void dot_rows(const std::byte* rows, const float* room, std::int64_t cols, float* output) {
  const std::int64_t blocks = cols / kBlockSize;
  const auto* prepared = reinterpret_cast<const std::int8_t*>(room + blocks);
  const std::int64_t block_bytes = row_bytes(type, kBlockSize);
  const std::int64_t stride = block_bytes * blocks;
  BlockSum sums[kCount]{};
  for (std::int64_t b = 0; b < blocks; ++b, rows += block_bytes, prepared += kPreparedBytes) {
    for (int r = 0; r < kCount; ++r) {
      Bytes low, high;
      read_block(type, rows + r * stride, low, high);
      add_block(sums[r], low, high, prepared, read_scale(rows + r * stride) * room[b]);
    }
  }
  for (int r = 0; r < kCount; ++r) output[r] = total(sums[r]);
}

template <WeightType type>
void dot_all_rows(const std::byte* rows, std::int64_t count, const float* room, std::int64_t cols, float* output) {
  constexpr int kTogether = 2;
  const std::int64_t stride = row_bytes(type, cols);
  std::int64_t r = 0;
  for (; r + kTogether <= count; r += kTogether) dot_rows<type, kTogether>(rows + r * stride, room, cols, output + r);
  for (; r < count; ++r) dot_rows<type, 1>(rows + r * stride, room, cols, output + r);
}

}  // namespace

bool is_block_quantised(WeightType type) { return type == WeightType::q8_0 || type == WeightType::q4_0; }

void dequantise_row(WeightType type, const std::byte* row, std::int64_t cols, float* output) {
  const std::int64_t stride = row_bytes(type, kBlockSize);
  for (std::int64_t b = 0; b < cols / kBlockSize; ++b, row += stride, output += kBlockSize) {
    const float scale = read_scale(row);
    Bytes halves[2];
    read_block(type, row, halves[0], halves[1]);
    std::int8_t weights[kBlockSize];
    std::memcpy(weights, halves, sizeof weights);
    for (int i = 0; i < kBlockSize; ++i) output[i] = scale * static_cast<float>(weights[i]);
  }
}

std::int64_t quantised_row_floats(std::int64_t cols) { return cols / kBlockSize * (1 + kPreparedFloats); }

void quantise_row(const float* x, std::int64_t cols, float* room) {
  constexpr float kLargest = 127.0f;
  const std::int64_t blocks = cols / kBlockSize;
  auto* prepared = reinterpret_cast<std::int8_t*>(room + blocks);
  for (std::int64_t b = 0; b < blocks; ++b, x += kBlockSize, prepared += kPreparedBytes) {
    float largest = 0.0f;
    bool is_finite = true;
    for (int i = 0; i < kBlockSize; ++i) {
      is_finite &= std::isfinite(x[i]);
      largest = std::max(largest, std::abs(x[i]));
    }
    const float scale = largest / kLargest;
    // Too small a scale has no reciprocal; such a block counts as 0.
    const float inverse = is_finite && scale >= std::numeric_limits<float>::min() ? kLargest / largest : 0.0f;
    room[b] = is_finite ? scale : std::numeric_limits<float>::quiet_NaN();
    std::int8_t q[kBlockSize];
    for (int i = 0; i < kBlockSize; ++i) {
      q[i] = inverse == 0.0f ? std::int8_t{0} : static_cast<std::int8_t>(std::nearbyint(x[i] * inverse));
    }
    prepare_block(q, prepared);
  }
}

void quantised_dots(WeightType type, const std::byte* rows, std::int64_t count, const float* room, std::int64_t cols,
                    float* output) {
  LOOKBACK_ASSERT(is_block_quantised(type) && cols % kBlockSize == 0);
  if (type == WeightType::q8_0) return dot_all_rows<WeightType::q8_0>(rows, count, room, cols, output);
  dot_all_rows<WeightType::q4_0>(rows, count, room, cols, output);
}

}  // namespace lookback::kernels
