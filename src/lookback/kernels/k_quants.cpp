// SPDX-License-Identifier: MIT
// Scales first, then the numbers part by part.
#include "lookback/kernels/k_quants.hpp"

#include <cstdint>
#include <cstring>

#include "lookback/kernels/half.hpp"

namespace lookback::kernels {

namespace {

float half_at(const std::byte* p) {
  std::uint16_t half;
  std::memcpy(&half, p, sizeof half);
  return half_to_float(half);
}

int bits(std::byte byte, int shift, int count) { return (static_cast<int>(byte) >> shift) & ((1 << count) - 1); }

struct ScaleAndLeast {
  int scale, least;
};

/// Pairs 0 to 3 lie in the low 6 bits of bytes p and p + 4; of pairs 4 to 7 the low 4 bits lie in byte p + 4 and the
/// high 2 where the former end.
ScaleAndLeast pair_of(const std::byte* packed, int p) {
  if (p < 4) return {bits(packed[p], 0, 6), bits(packed[p + 4], 0, 6)};
  return {bits(packed[p + 4], 0, 4) | bits(packed[p - 4], 6, 2) << 4, bits(packed[p + 4], 4, 4) | bits(packed[p], 6, 2)
                                                                                                      << 4};
}

}  // namespace

void dequantise_q4_k(const std::byte* block, float* output) {
  const float d = half_at(block);
  const float m = half_at(block + 2);
  const std::byte* const numbers = block + 16;
  for (int p = 0; p < 8; ++p) {
    const ScaleAndLeast pair = pair_of(block + 4, p);
    const float scale = d * static_cast<float>(pair.scale);
    const float least = m * static_cast<float>(pair.least);
    const int shift = p % 2 * 4;
    for (int i = 0; i < 32; ++i) {
      output[32 * p + i] = scale * static_cast<float>(bits(numbers[p / 2 * 32 + i], shift, 4)) - least;
    }
  }
}

void dequantise_q6_k(const std::byte* block, float* output) {
  const float d = half_at(block + 208);
  for (int p = 0; p < 16; ++p) {
    // Each half of the block has four runs of 32 numbers: the first two in the low halves of 64 bytes, the others in
    // the high halves of the same; the high bits of all four share 32 bytes.
    const int run = p / 2 % 4, half = p / 8, first = p % 2 * 16;
    const std::byte* const low = block + half * 64 + run % 2 * 32 + first;
    const std::byte* const high = block + 128 + half * 32 + first;
    const float scale = d * static_cast<float>(static_cast<std::int8_t>(block[192 + p]));
    for (int i = 0; i < 16; ++i) {
      const int number = bits(low[i], run / 2 * 4, 4) | bits(high[i], run * 2, 2) << 4;
      output[16 * p + i] = scale * static_cast<float>(number - 32);
    }
  }
}

}  // namespace lookback::kernels
