// SPDX-License-Identifier: MIT
// Plain C++: any machine, and the definition the other targets are tested against.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace lookback::kernels {

struct Vec {
  float lane[4];
};
struct VecMask {
  bool lane[4];
};
inline constexpr int kLanes = 4;
inline constexpr int kRegisters = 16;
inline constexpr const char* kSimdName = "scalar";

/// f of each lane.
template <class Function>
Vec lanes_of(Function f) {
  return {{f(0), f(1), f(2), f(3)}};
}

inline Vec load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void store(float* p, Vec x) { std::copy(x.lane, x.lane + kLanes, p); }
inline Vec splat(float x) { return {{x, x, x, x}}; }
inline Vec load_splat(const float* p) { return splat(*p); }
inline Vec add(Vec a, Vec b) {
  return lanes_of([&](int i) { return a.lane[i] + b.lane[i]; });
}
inline Vec sub(Vec a, Vec b) {
  return lanes_of([&](int i) { return a.lane[i] - b.lane[i]; });
}
inline Vec mul(Vec a, Vec b) {
  return lanes_of([&](int i) { return a.lane[i] * b.lane[i]; });
}
inline Vec div(Vec a, Vec b) {
  return lanes_of([&](int i) { return a.lane[i] / b.lane[i]; });
}
inline Vec min(Vec a, Vec b) {
  return lanes_of([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline Vec max(Vec a, Vec b) {
  return lanes_of([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline Vec mul_add(Vec a, Vec b, Vec c) { return add(mul(a, b), c); }

inline void pin(Vec&) {}

inline VecMask less(Vec a, Vec b) {
  VecMask mask;
  for (int i = 0; i < kLanes; ++i) mask.lane[i] = a.lane[i] < b.lane[i];
  return mask;
}
inline VecMask is_nan(Vec a) {
  VecMask mask;
  for (int i = 0; i < kLanes; ++i) mask.lane[i] = std::isnan(a.lane[i]);
  return mask;
}
inline bool any(VecMask mask) { return mask.lane[0] || mask.lane[1] || mask.lane[2] || mask.lane[3]; }
inline Vec select(VecMask mask, Vec a, Vec b) {
  return lanes_of([&](int i) { return mask.lane[i] ? a.lane[i] : b.lane[i]; });
}
inline Vec low_bits_to_exponent(Vec x) {
  return lanes_of([&](int i) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x.lane[i]) << 23); });
}

inline float horizontal_sum(Vec x) { return (x.lane[0] + x.lane[1]) + (x.lane[2] + x.lane[3]); }
inline float horizontal_max(Vec x) { return std::max({x.lane[0], x.lane[1], x.lane[2], x.lane[3]}); }

inline void transpose_4x4(const float* in, long long stride, float* out, long long out_stride) {
  for (int row = 0; row < 4; ++row) {
    for (int col = 0; col < 4; ++col) out[col * out_stride + row] = in[row * stride + col];
  }
}

}  // namespace lookback::kernels
