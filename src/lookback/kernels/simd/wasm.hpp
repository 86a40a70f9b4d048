// SPDX-License-Identifier: MIT
// WebAssembly SIMD, with relaxed multiply-add where it may be used.
#pragma once

#include <wasm_simd128.h>

namespace lookback::kernels {

using Vec = v128_t;
using VecMask = v128_t;
inline constexpr int kLanes = 4;
/// What x86 engines map v128 to; more tiles would spill.
inline constexpr int kRegisters = 16;

inline Vec load(const float* p) { return wasm_v128_load(p); }
inline void store(float* p, Vec x) { wasm_v128_store(p, x); }
inline Vec splat(float x) { return wasm_f32x4_splat(x); }
inline Vec load_splat(const float* p) { return wasm_v128_load32_splat(p); }
inline Vec add(Vec a, Vec b) { return wasm_f32x4_add(a, b); }
inline Vec sub(Vec a, Vec b) { return wasm_f32x4_sub(a, b); }
inline Vec mul(Vec a, Vec b) { return wasm_f32x4_mul(a, b); }
inline Vec div(Vec a, Vec b) { return wasm_f32x4_div(a, b); }
inline Vec min(Vec a, Vec b) { return wasm_f32x4_pmin(b, a); }
inline Vec max(Vec a, Vec b) { return wasm_f32x4_pmax(b, a); }
#if defined(__wasm_relaxed_simd__)
inline Vec mul_add(Vec a, Vec b, Vec c) { return wasm_f32x4_relaxed_madd(a, b, c); }
inline constexpr const char* kSimdName = "wasm relaxed";
#else
inline Vec mul_add(Vec a, Vec b, Vec c) { return wasm_f32x4_add(wasm_f32x4_mul(a, b), c); }
inline constexpr const char* kSimdName = "wasm baseline";
#endif

inline void pin(Vec& x) { asm volatile("" : "+r"(x)); }

inline VecMask less(Vec a, Vec b) { return wasm_f32x4_lt(a, b); }
inline VecMask is_nan(Vec a) { return wasm_f32x4_ne(a, a); }
inline bool any(VecMask mask) { return wasm_v128_any_true(mask); }
inline Vec select(VecMask mask, Vec a, Vec b) { return wasm_v128_bitselect(a, b, mask); }
inline Vec low_bits_to_exponent(Vec x) { return wasm_i32x4_shl(x, 23); }

inline float horizontal_sum(Vec x) {
  const v128_t pairs = wasm_f32x4_add(x, wasm_i32x4_shuffle(x, x, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(wasm_f32x4_add(pairs, wasm_i32x4_shuffle(pairs, pairs, 2, 3, 0, 1)), 0);
}
inline float horizontal_max(Vec x) {
  const v128_t pairs = max(x, wasm_i32x4_shuffle(x, x, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(max(pairs, wasm_i32x4_shuffle(pairs, pairs, 2, 3, 0, 1)), 0);
}

inline void transpose_4x4(const float* in, long long stride, float* out, long long out_stride) {
  const v128_t a = load(in), b = load(in + stride), c = load(in + 2 * stride), d = load(in + 3 * stride);
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  store(out, wasm_i64x2_shuffle(ab_low, cd_low, 0, 2));
  store(out + out_stride, wasm_i64x2_shuffle(ab_low, cd_low, 1, 3));
  store(out + 2 * out_stride, wasm_i64x2_shuffle(ab_high, cd_high, 0, 2));
  store(out + 3 * out_stride, wasm_i64x2_shuffle(ab_high, cd_high, 1, 3));
}

}  // namespace lookback::kernels
