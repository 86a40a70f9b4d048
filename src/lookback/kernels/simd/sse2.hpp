// SPDX-License-Identifier: MIT
// x86 with nothing but SSE2.
#pragma once

#include "lookback/kernels/simd/x86_common.hpp"

namespace lookback::kernels {

using Vec = __m128;
using VecMask = __m128;
inline constexpr int kLanes = 4;
inline constexpr int kRegisters = 16;
inline constexpr const char* kSimdName = "sse2";

inline Vec load(const float* p) { return _mm_loadu_ps(p); }
inline void store(float* p, Vec x) { _mm_storeu_ps(p, x); }
inline Vec splat(float x) { return _mm_set1_ps(x); }
inline Vec load_splat(const float* p) { return _mm_set1_ps(*p); }
inline Vec add(Vec a, Vec b) { return _mm_add_ps(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm_sub_ps(a, b); }
inline Vec mul(Vec a, Vec b) { return _mm_mul_ps(a, b); }
inline Vec div(Vec a, Vec b) { return _mm_div_ps(a, b); }
inline Vec min(Vec a, Vec b) { return _mm_min_ps(a, b); }
inline Vec max(Vec a, Vec b) { return _mm_max_ps(a, b); }
inline Vec mul_add(Vec a, Vec b, Vec c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }

inline void pin(Vec&) {}

inline VecMask less(Vec a, Vec b) { return _mm_cmplt_ps(a, b); }
inline VecMask is_nan(Vec a) { return _mm_cmpunord_ps(a, a); }
inline bool any(VecMask mask) { return _mm_movemask_ps(mask) != 0; }
inline Vec select(VecMask mask, Vec a, Vec b) { return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b)); }
inline Vec low_bits_to_exponent(Vec x) { return _mm_castsi128_ps(_mm_slli_epi32(_mm_castps_si128(x), 23)); }

inline float horizontal_sum(Vec x) { return horizontal_sum_128(x); }
inline float horizontal_max(Vec x) { return horizontal_max_128(x); }

}  // namespace lookback::kernels
