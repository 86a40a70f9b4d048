// SPDX-License-Identifier: MIT
// The few words of integer vectors that block-quantised products need, for every target of simd.hpp. Whole numbers are
// exact: weights of 8 or 4 bits meet int16. Internal to the kernels.
//
//   Shorts, kShorts, load_shorts     int16, kShorts side by side
//   widen_bytes(p)                   kShorts int8
//   widen_nibbles(p, low, high)      the low and the high halves of kShorts bytes, each less 8
//   Ints, dot_pairs(a, b), add       kShorts / 2 int32: a_2i b_2i + a_2i+1 b_2i+1; lane by lane
//   Floats, to_floats(Ints)          as many f32; zero_floats, splat_floats(p), mul_add, pin, total as in simd.hpp
//   multiply_four_scales(p, stride, factors, products)
//                                    four binary16, `stride` bytes apart, times as many f32; may read two bytes more
//                                    behind each. An infinity or NaN among the halves counts as infinite.
//
// wasm's relaxed build has besides, for 16 bytes at once:
//
//   Bytes, load_bytes, flipped(a, mask), split_nibbles(bytes, low, high), splat_short, add_shorts
//   byte_pairs(a, b)                 a_2i b_2i + a_2i+1 b_2i+1 for b in [0, 127]: at most 2 * 128 * 127: no engine
//                                    saturates
//   byte_pairs_work()                whether this code gets them right, as it must: of the accumulating form of the
//                                    instruction V8 11.3 makes two different things before and after it optimises
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

#if defined(LOOKBACK_SIMD_SCALAR) || !(defined(__wasm_simd128__) || defined(__SSE2__) || defined(_M_X64) || \
                                       (defined(__ARM_NEON) && defined(__aarch64__)))

inline constexpr int kShorts = 8;
struct Shorts {
  std::int16_t lane[kShorts];
};
struct Ints {
  std::int32_t lane[kShorts / 2];
};

inline Shorts load_shorts(const std::int16_t* p) {
  Shorts result;
  std::memcpy(result.lane, p, sizeof result.lane);
  return result;
}
inline Shorts widen_bytes(const std::byte* p) {
  Shorts result;
  for (int i = 0; i < kShorts; ++i) result.lane[i] = static_cast<std::int8_t>(p[i]);
  return result;
}
inline void widen_nibbles(const std::byte* p, Shorts& low, Shorts& high) {
  for (int i = 0; i < kShorts; ++i) {
    low.lane[i] = static_cast<std::int16_t>(static_cast<int>(p[i] & std::byte{15}) - 8);
    high.lane[i] = static_cast<std::int16_t>(static_cast<int>(p[i] >> 4) - 8);
  }
}
inline Ints dot_pairs(const Shorts& a, const Shorts& b) {
  Ints result;
  for (int i = 0; i < kShorts / 2; ++i)
    result.lane[i] = a.lane[2 * i] * b.lane[2 * i] + a.lane[2 * i + 1] * b.lane[2 * i + 1];
  return result;
}
inline Ints add(const Ints& a, const Ints& b) {
  return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2], a.lane[3] + b.lane[3]}};
}
using Floats = Vec;
inline Floats to_floats(const Ints& a) {
  return lanes_of([&](int i) { return static_cast<float>(a.lane[i]); });
}

#elif defined(__wasm_simd128__)

inline constexpr int kShorts = 8;
using Shorts = v128_t;
/// A type of its own, for add.
struct Ints {
  v128_t v;
};

inline Shorts load_shorts(const std::int16_t* p) { return wasm_v128_load(p); }
inline Shorts widen_bytes(const std::byte* p) { return wasm_i16x8_load8x8(p); }
inline void widen_nibbles(const std::byte* p, Shorts& low, Shorts& high) {
  const v128_t bytes = wasm_u16x8_load8x8(p);
  low = wasm_i16x8_sub(wasm_v128_and(bytes, wasm_i16x8_splat(15)), wasm_i16x8_splat(8));
  high = wasm_i16x8_sub(wasm_u16x8_shr(bytes, 4), wasm_i16x8_splat(8));
}
inline Ints dot_pairs(Shorts a, Shorts b) { return {wasm_i32x4_dot_i16x8(a, b)}; }
inline Ints add(Ints a, Ints b) { return {wasm_i32x4_add(a.v, b.v)}; }
using Floats = Vec;
inline Floats to_floats(Ints a) { return wasm_f32x4_convert_i32x4(a.v); }

#if defined(__wasm_relaxed_simd__)
/// A type of its own, for flipped.
struct Bytes {
  v128_t v;
};
inline Bytes load_bytes(const std::byte* p) { return {wasm_v128_load(p)}; }
inline Bytes flipped(Bytes a, Bytes mask) { return {wasm_v128_xor(a.v, mask.v)}; }
inline void split_nibbles(Bytes bytes, Bytes& low, Bytes& high) {
  const v128_t mask = wasm_i8x16_splat(15);
  low = {wasm_v128_and(bytes.v, mask)};
  high = {wasm_v128_and(wasm_u16x8_shr(bytes.v, 4), mask)};
}
inline Shorts splat_short(std::int16_t x) { return wasm_i16x8_splat(x); }
inline Shorts byte_pairs(Bytes a, Bytes b) { return wasm_i16x8_relaxed_dot_i8x16_i7x16(a.v, b.v); }
inline Shorts add_shorts(Shorts a, Shorts b) { return wasm_i16x8_add(a, b); }
inline bool byte_pairs_work() {
  v128_t a = wasm_i8x16_make(-128, -128, 127, 127, -128, 127, -1, 0, 0, -1, 1, 2, 64, -64, -127, -128);
  v128_t b = wasm_i8x16_make(127, 127, 127, 127, 127, 127, 127, 127, 1, 1, 3, 5, 64, 64, 0, 1);
  // Neither compiler is to know what it multiplies.
  pin(a), pin(b);
  const v128_t expected = wasm_i16x8_make(-32512, 32258, -127, -127, -1, 13, 0, -128);
  return wasm_i16x8_all_true(wasm_i16x8_eq(wasm_i16x8_relaxed_dot_i8x16_i7x16(a, b), expected));
}
#endif

#elif defined(__AVX2__) && defined(__FMA__)

inline constexpr int kShorts = 16;
using Shorts = __m256i;
struct Ints {
  __m256i v;
};

inline Shorts load_shorts(const std::int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline Shorts widen_bytes(const std::byte* p) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void widen_nibbles(const std::byte* p, Shorts& low, Shorts& high) {
  const __m256i bytes = _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  low = _mm256_sub_epi16(_mm256_and_si256(bytes, _mm256_set1_epi16(15)), _mm256_set1_epi16(8));
  high = _mm256_sub_epi16(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi16(8));
}
inline Ints dot_pairs(Shorts a, Shorts b) { return {_mm256_madd_epi16(a, b)}; }
inline Ints add(Ints a, Ints b) { return {_mm256_add_epi32(a.v, b.v)}; }
using Floats = __m256;
inline Floats to_floats(Ints a) { return _mm256_cvtepi32_ps(a.v); }

#elif defined(__SSE2__) || defined(_M_X64)

inline constexpr int kShorts = 8;
using Shorts = __m128i;
struct Ints {
  __m128i v;
};

inline Shorts load_shorts(const std::int16_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline __m128i load_8_bytes(const std::byte* p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)); }
inline Shorts widen_bytes(const std::byte* p) {
  return _mm_srai_epi16(_mm_unpacklo_epi8(_mm_setzero_si128(), load_8_bytes(p)), 8);
}
inline void widen_nibbles(const std::byte* p, Shorts& low, Shorts& high) {
  const __m128i bytes = _mm_unpacklo_epi8(load_8_bytes(p), _mm_setzero_si128());
  low = _mm_sub_epi16(_mm_and_si128(bytes, _mm_set1_epi16(15)), _mm_set1_epi16(8));
  high = _mm_sub_epi16(_mm_srli_epi16(bytes, 4), _mm_set1_epi16(8));
}
inline Ints dot_pairs(Shorts a, Shorts b) { return {_mm_madd_epi16(a, b)}; }
inline Ints add(Ints a, Ints b) { return {_mm_add_epi32(a.v, b.v)}; }
using Floats = Vec;
inline Floats to_floats(Ints a) { return _mm_cvtepi32_ps(a.v); }

#else

inline constexpr int kShorts = 8;
using Shorts = int16x8_t;
using Ints = int32x4_t;

inline Shorts load_shorts(const std::int16_t* p) { return vld1q_s16(p); }
inline Shorts widen_bytes(const std::byte* p) { return vmovl_s8(vld1_s8(reinterpret_cast<const std::int8_t*>(p))); }
inline void widen_nibbles(const std::byte* p, Shorts& low, Shorts& high) {
  const int16x8_t bytes = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(reinterpret_cast<const std::uint8_t*>(p))));
  low = vsubq_s16(vandq_s16(bytes, vdupq_n_s16(15)), vdupq_n_s16(8));
  high = vsubq_s16(vshrq_n_s16(bytes, 4), vdupq_n_s16(8));
}
inline Ints dot_pairs(Shorts a, Shorts b) {
  return vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
}
inline Ints add(Ints a, Ints b) { return vaddq_s32(a, b); }
using Floats = Vec;
inline Floats to_floats(Ints a) { return vcvtq_f32_s32(a); }

#endif

// Sign and exponent of a half go to their places in f32, where its value is 2^-112 of the half's, subnormals included.
// Those of infinities and NaN are then the only ones that 2^224 makes infinite.
inline constexpr std::int32_t kHalfInFloat = static_cast<std::int32_t>(0x8FFFE000);

#if defined(__wasm_simd128__) && !defined(LOOKBACK_SIMD_SCALAR)
inline void multiply_four_scales(const std::byte* p, std::int64_t stride, const float* factors, float* products) {
  v128_t x = wasm_v128_load32_zero(p);
  x = wasm_v128_load32_lane(p + stride, x, 1);
  x = wasm_v128_load32_lane(p + 2 * stride, x, 2);
  x = wasm_v128_load32_lane(p + 3 * stride, x, 3);
  x = wasm_v128_and(wasm_i32x4_shr(wasm_i32x4_shl(x, 16), 3), wasm_i32x4_splat(kHalfInFloat));
  const v128_t power = splat(0x1p112f);
  store(products, mul(mul(mul(mul(x, power), power), splat(0x1p-112f)), load(factors)));
}
#else
inline void multiply_four_scales(const std::byte* p, std::int64_t stride, const float* factors, float* products) {
  for (int i = 0; i < 4; ++i) {
    std::int16_t half;
    std::memcpy(&half, p + i * stride, sizeof half);
    const std::int32_t bits = half * (1 << 13) & kHalfInFloat;
    products[i] = std::bit_cast<float>(bits) * 0x1p112f * 0x1p112f * 0x1p-112f * factors[i];
  }
}
#endif

#if defined(__AVX512F__) && !defined(LOOKBACK_SIMD_SCALAR)
// Blocks of 32 fill half of the wider vectors only.
inline Floats splat_floats(const float* p) { return _mm256_broadcast_ss(p); }
inline Floats mul_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
inline void pin(Floats&) {}
inline float total(Floats x) {
  return horizontal_sum_128(_mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1)));
}
#else
inline Floats splat_floats(const float* p) { return load_splat(p); }
inline float total(Floats x) { return horizontal_sum(x); }
#endif

inline Floats zero_floats() {
  constexpr float kZero = 0.0f;
  return splat_floats(&kZero);
}

}  // namespace lookback::kernels
