// SPDX-License-Identifier: MIT
// Exact products of 32 int8 weights with 32 int8 activations, a block at a time. Weights take all of [-128, 127],
// activations [-127, 127]. Internal to the kernels.
//
//   Bytes, load_bytes, load_nibbles      16 weights; 32 weights of 4 bits, less 8
//   prepare_block(q, room)               32 activations in the form that add_block wants, kPreparedBytes of it
//   BlockSum, add_block, total           sum += scale * (w . x), the inner product exact
#pragma once

#include <cstdint>
#include <cstring>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

inline constexpr int kPreparedBytes = 64;

#if defined(__wasm_simd128__) && !defined(LOOKBACK_SIMD_SCALAR)

using Bytes = v128_t;
using BlockSum = Vec;

inline Bytes load_bytes(const void* p) { return wasm_v128_load(p); }

struct Nibbles {
  Bytes low, high;
};
inline Nibbles load_nibbles(const void* p) {
  const v128_t packed = wasm_v128_load(p);
  const v128_t eight = wasm_i8x16_splat(8);
  return {wasm_i8x16_sub(wasm_v128_and(packed, wasm_i8x16_splat(15)), eight),
          wasm_i8x16_sub(wasm_u8x16_shr(packed, 4), eight)};
}

inline float total(BlockSum sum) { return horizontal_sum(sum); }

// Not by the relaxed 7-bit product: the baseline compiler of V8 11.3 takes the wrong operand for the unsigned one.
inline void prepare_block(const std::int8_t* q, std::int8_t* room) {
  for (int i = 0; i < 32; ++i) {
    const std::int16_t wide = q[i];
    std::memcpy(room + 2 * i, &wide, sizeof wide);
  }
}

inline void add_block(BlockSum& sum, Bytes w0, Bytes w1, const std::int8_t* room, float scale) {
  const v128_t dots[4] = {
      wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(w0), wasm_v128_load(room)),
      wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(w0), wasm_v128_load(room + 16)),
      wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(w1), wasm_v128_load(room + 32)),
      wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(w1), wasm_v128_load(room + 48)),
  };
  const v128_t dot = wasm_i32x4_add(wasm_i32x4_add(dots[0], dots[1]), wasm_i32x4_add(dots[2], dots[3]));
  sum = mul_add(wasm_f32x4_convert_i32x4(dot), splat(scale), sum);
}

#else

struct Bytes {
  std::int8_t lane[16];
};
using BlockSum = float;

inline Bytes load_bytes(const void* p) {
  Bytes result;
  std::memcpy(result.lane, p, sizeof result.lane);
  return result;
}

struct Nibbles {
  Bytes low, high;
};
inline Nibbles load_nibbles(const void* p) {
  const auto* packed = static_cast<const std::uint8_t*>(p);
  Nibbles result;
  for (int i = 0; i < 16; ++i) {
    result.low.lane[i] = static_cast<std::int8_t>((packed[i] & 15) - 8);
    result.high.lane[i] = static_cast<std::int8_t>((packed[i] >> 4) - 8);
  }
  return result;
}

inline void prepare_block(const std::int8_t* q, std::int8_t* room) { std::memcpy(room, q, 32); }

inline void add_block(BlockSum& sum, const Bytes& w0, const Bytes& w1, const std::int8_t* room, float scale) {
  std::int32_t dot = 0;
  for (int i = 0; i < 16; ++i) dot += w0.lane[i] * room[i] + w1.lane[i] * room[16 + i];
  sum += static_cast<float>(dot) * scale;
}

inline float total(BlockSum sum) { return sum; }

#endif

}  // namespace lookback::kernels
