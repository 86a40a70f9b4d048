// SPDX-License-Identifier: MIT
// x86 with AVX2 and fused multiply-add.
#pragma once

#include "lookback/kernels/simd/x86_common.hpp"

namespace lookback::kernels {

using Vec = __m256;
using VecMask = __m256;
inline constexpr int kLanes = 8;
inline constexpr int kRegisters = 16;
inline constexpr const char* kSimdName = "avx2";

inline Vec load(const float* p) { return _mm256_loadu_ps(p); }
inline void store(float* p, Vec x) { _mm256_storeu_ps(p, x); }
inline Vec splat(float x) { return _mm256_set1_ps(x); }
inline Vec load_splat(const float* p) { return _mm256_broadcast_ss(p); }
inline Vec add(Vec a, Vec b) { return _mm256_add_ps(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm256_sub_ps(a, b); }
inline Vec mul(Vec a, Vec b) { return _mm256_mul_ps(a, b); }
inline Vec div(Vec a, Vec b) { return _mm256_div_ps(a, b); }
inline Vec min(Vec a, Vec b) { return _mm256_min_ps(a, b); }
inline Vec max(Vec a, Vec b) { return _mm256_max_ps(a, b); }
inline Vec mul_add(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }

inline void pin(Vec&) {}

inline VecMask less(Vec a, Vec b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
inline VecMask is_nan(Vec a) { return _mm256_cmp_ps(a, a, _CMP_UNORD_Q); }
inline bool any(VecMask mask) { return _mm256_movemask_ps(mask) != 0; }
inline Vec select(VecMask mask, Vec a, Vec b) { return _mm256_blendv_ps(b, a, mask); }
inline Vec low_bits_to_exponent(Vec x) { return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(x), 23)); }

inline float horizontal_sum(Vec x) {
  return horizontal_sum_128(_mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1)));
}
inline float horizontal_max(Vec x) {
  return horizontal_max_128(_mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1)));
}

}  // namespace lookback::kernels
