// SPDX-License-Identifier: MIT
// 64-bit ARM.
#pragma once

#include <arm_neon.h>

namespace lookback::kernels {

using Vec = float32x4_t;
using VecMask = uint32x4_t;
inline constexpr int kLanes = 4;
inline constexpr int kRegisters = 32;
inline constexpr const char* kSimdName = "neon";

inline Vec load(const float* p) { return vld1q_f32(p); }
inline void store(float* p, Vec x) { vst1q_f32(p, x); }
inline Vec splat(float x) { return vdupq_n_f32(x); }
inline Vec load_splat(const float* p) { return vld1q_dup_f32(p); }
inline Vec add(Vec a, Vec b) { return vaddq_f32(a, b); }
inline Vec sub(Vec a, Vec b) { return vsubq_f32(a, b); }
inline Vec mul(Vec a, Vec b) { return vmulq_f32(a, b); }
inline Vec div(Vec a, Vec b) { return vdivq_f32(a, b); }
inline void pin(Vec&) {}

inline VecMask less(Vec a, Vec b) { return vcltq_f32(a, b); }
inline Vec select(VecMask mask, Vec a, Vec b) { return vbslq_f32(mask, a, b); }
inline Vec min(Vec a, Vec b) { return select(less(a, b), a, b); }
inline Vec max(Vec a, Vec b) { return select(less(b, a), a, b); }
inline Vec mul_add(Vec a, Vec b, Vec c) { return vfmaq_f32(c, a, b); }

inline VecMask is_nan(Vec a) { return vmvnq_u32(vceqq_f32(a, a)); }
inline bool any(VecMask mask) { return vmaxvq_u32(mask) != 0; }
inline Vec low_bits_to_exponent(Vec x) { return vreinterpretq_f32_u32(vshlq_n_u32(vreinterpretq_u32_f32(x), 23)); }

inline float horizontal_sum(Vec x) { return vaddvq_f32(x); }
inline float horizontal_max(Vec x) { return vmaxvq_f32(x); }

inline void transpose_4x4(const float* in, long long stride, float* out, long long out_stride) {
  const float32x4x2_t ab = vtrnq_f32(load(in), load(in + stride));
  const float32x4x2_t cd = vtrnq_f32(load(in + 2 * stride), load(in + 3 * stride));
  store(out, vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0])));
  store(out + out_stride, vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1])));
  store(out + 2 * out_stride, vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0])));
  store(out + 3 * out_stride, vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1])));
}

}  // namespace lookback::kernels
