// SPDX-License-Identifier: MIT
// One small vocabulary of four-lane arithmetic; each target defines the same names, the scalar one last.
#pragma once

#include <algorithm>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define LOOKBACK_SIMD_SSE2 1
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace lookback::kernels {

#if defined(__wasm_simd128__)

using F32x4 = v128_t;
inline F32x4 load(const float* p) { return wasm_v128_load(p); }
inline void store(float* p, F32x4 x) { wasm_v128_store(p, x); }
inline F32x4 splat(float x) { return wasm_f32x4_splat(x); }
inline F32x4 add(F32x4 a, F32x4 b) { return wasm_f32x4_add(a, b); }
inline F32x4 mul(F32x4 a, F32x4 b) { return wasm_f32x4_mul(a, b); }
#if defined(__wasm_relaxed_simd__)
inline F32x4 mul_add(F32x4 a, F32x4 b, F32x4 c) { return wasm_f32x4_relaxed_madd(a, b, c); }
inline constexpr const char* kSimdName = "wasm relaxed";
#else
inline F32x4 mul_add(F32x4 a, F32x4 b, F32x4 c) { return wasm_f32x4_add(wasm_f32x4_mul(a, b), c); }
inline constexpr const char* kSimdName = "wasm baseline";
#endif

#elif defined(LOOKBACK_SIMD_SSE2)

using F32x4 = __m128;
inline F32x4 load(const float* p) { return _mm_loadu_ps(p); }
inline void store(float* p, F32x4 x) { _mm_storeu_ps(p, x); }
inline F32x4 splat(float x) { return _mm_set1_ps(x); }
inline F32x4 add(F32x4 a, F32x4 b) { return _mm_add_ps(a, b); }
inline F32x4 mul(F32x4 a, F32x4 b) { return _mm_mul_ps(a, b); }
inline F32x4 mul_add(F32x4 a, F32x4 b, F32x4 c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
inline constexpr const char* kSimdName = "sse2";

#elif defined(__ARM_NEON)

using F32x4 = float32x4_t;
inline F32x4 load(const float* p) { return vld1q_f32(p); }
inline void store(float* p, F32x4 x) { vst1q_f32(p, x); }
inline F32x4 splat(float x) { return vdupq_n_f32(x); }
inline F32x4 add(F32x4 a, F32x4 b) { return vaddq_f32(a, b); }
inline F32x4 mul(F32x4 a, F32x4 b) { return vmulq_f32(a, b); }
inline F32x4 mul_add(F32x4 a, F32x4 b, F32x4 c) { return vmlaq_f32(c, a, b); }
inline constexpr const char* kSimdName = "neon";

#else

struct F32x4 {
  float lane[4];
};
inline F32x4 load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void store(float* p, F32x4 x) { std::copy(x.lane, x.lane + 4, p); }
inline F32x4 splat(float x) { return {{x, x, x, x}}; }
inline F32x4 add(F32x4 a, F32x4 b) {
  return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2], a.lane[3] + b.lane[3]}};
}
inline F32x4 mul(F32x4 a, F32x4 b) {
  return {{a.lane[0] * b.lane[0], a.lane[1] * b.lane[1], a.lane[2] * b.lane[2], a.lane[3] * b.lane[3]}};
}
inline F32x4 mul_add(F32x4 a, F32x4 b, F32x4 c) { return add(mul(a, b), c); }
inline constexpr const char* kSimdName = "scalar";

#endif

inline float horizontal_sum(F32x4 x) {
  float lanes[4];
  store(lanes, x);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace lookback::kernels
