// SPDX-License-Identifier: MIT
// x86 with AVX-512.
#pragma once

#include "lookback/kernels/simd/x86_common.hpp"

namespace lookback::kernels {

using Vec = __m512;
using VecMask = __mmask16;
inline constexpr int kLanes = 16;
inline constexpr int kRegisters = 32;
inline constexpr const char* kSimdName = "avx512";

inline Vec load(const float* p) { return _mm512_loadu_ps(p); }
inline void store(float* p, Vec x) { _mm512_storeu_ps(p, x); }
inline Vec splat(float x) { return _mm512_set1_ps(x); }
inline Vec load_splat(const float* p) { return _mm512_set1_ps(*p); }
inline Vec add(Vec a, Vec b) { return _mm512_add_ps(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm512_sub_ps(a, b); }
inline Vec mul(Vec a, Vec b) { return _mm512_mul_ps(a, b); }
inline Vec div(Vec a, Vec b) { return _mm512_div_ps(a, b); }
inline Vec min(Vec a, Vec b) { return _mm512_min_ps(a, b); }
inline Vec max(Vec a, Vec b) { return _mm512_max_ps(a, b); }
inline Vec mul_add(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }

inline void pin(Vec&) {}

inline VecMask less(Vec a, Vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
inline VecMask is_nan(Vec a) { return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q); }
inline bool any(VecMask mask) { return mask != 0; }
inline Vec select(VecMask mask, Vec a, Vec b) { return _mm512_mask_blend_ps(mask, b, a); }
inline Vec low_bits_to_exponent(Vec x) { return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_castps_si512(x), 23)); }

// By way of memory: GCC 12 warns of its own reductions.
inline float horizontal_sum(Vec x) {
  float lanes[kLanes];
  store(lanes, x);
  const __m128 low = _mm_add_ps(_mm_loadu_ps(lanes), _mm_loadu_ps(lanes + 8));
  return horizontal_sum_128(_mm_add_ps(low, _mm_add_ps(_mm_loadu_ps(lanes + 4), _mm_loadu_ps(lanes + 12))));
}
inline float horizontal_max(Vec x) {
  float lanes[kLanes];
  store(lanes, x);
  const __m128 low = _mm_max_ps(_mm_loadu_ps(lanes), _mm_loadu_ps(lanes + 8));
  return horizontal_max_128(_mm_max_ps(low, _mm_max_ps(_mm_loadu_ps(lanes + 4), _mm_loadu_ps(lanes + 12))));
}

}  // namespace lookback::kernels
