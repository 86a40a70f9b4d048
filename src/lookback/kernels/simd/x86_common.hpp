// SPDX-License-Identifier: MIT
// What every x86 target shares: work on 128-bit halves.
#pragma once

#include <immintrin.h>

namespace lookback::kernels {

inline float horizontal_sum_128(__m128 x) {
  const __m128 pairs = _mm_add_ps(x, _mm_shuffle_ps(x, x, _MM_SHUFFLE(2, 3, 0, 1)));
  return _mm_cvtss_f32(_mm_add_ps(pairs, _mm_movehl_ps(pairs, pairs)));
}
inline float horizontal_max_128(__m128 x) {
  const __m128 pairs = _mm_max_ps(x, _mm_shuffle_ps(x, x, _MM_SHUFFLE(2, 3, 0, 1)));
  return _mm_cvtss_f32(_mm_max_ps(pairs, _mm_movehl_ps(pairs, pairs)));
}

inline void transpose_4x4(const float* in, long long stride, float* out, long long out_stride) {
  __m128 a = _mm_loadu_ps(in), b = _mm_loadu_ps(in + stride);
  __m128 c = _mm_loadu_ps(in + 2 * stride), d = _mm_loadu_ps(in + 3 * stride);
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(out, a);
  _mm_storeu_ps(out + out_stride, b);
  _mm_storeu_ps(out + 2 * out_stride, c);
  _mm_storeu_ps(out + 3 * out_stride, d);
}

}  // namespace lookback::kernels
