// SPDX-License-Identifier: MIT
// exp, tanh and the logistic function of a whole Vec. Internal to the kernels.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

/// e^x within 2 units in the last place. Results below 2.4e-38 (x < -86.6) are 0: denormals would cost a hundred times
/// the rest. Above 88.73 infinity; NaN stays NaN. Polynomial of Moshier's Cephes, expf.
inline Vec exp(Vec x) {
  constexpr float kSmallest = -86.6f, kLargest = 89.0f;
  const VecMask is_zero = less(x, splat(kSmallest));
  const Vec clamped = max(splat(kSmallest), min(splat(kLargest), x));  // NaN stands second, so it stays
  const Vec n = round_to_even(mul(clamped, splat(1.44269504f)));
  // ln 2 in two parts: n times the first is exact.
  const Vec r = sub(sub(clamped, mul(n, splat(0.693359375f))), mul(n, splat(-2.12194440e-4f)));
  Vec p = splat(1.9875691500e-4f);
  for (float coefficient : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f}) {
    p = mul_add(p, r, splat(coefficient));
  }
  p = add(mul_add(mul(r, r), p, r), splat(1.0f));
  // n reaches 128, and 2^128 is no float.
  const Vec scaled = mul(add(p, p), power_of_two(sub(n, splat(1.0f))));
  return select(is_zero, splat(0.0f), scaled);
}

/// 1 / (1 + e^-x) within 4 units in the last place.
inline Vec sigmoid(Vec x) { return div(splat(1.0f), add(splat(1.0f), exp(sub(splat(0.0f), x)))); }

/// Within 3 units in the last place. Cephes, tanhf.
inline Vec tanh(Vec x) {
  const Vec minus = sub(splat(0.0f), x);
  const Vec size = max(x, minus);
  const Vec far = sub(splat(1.0f), div(splat(2.0f), add(exp(add(size, size)), splat(1.0f))));
  const Vec square = mul(x, x);
  Vec p = splat(-5.70498872745e-3f);
  for (float coefficient : {2.06390887954e-2f, -5.37397155531e-2f, 1.33314422036e-1f, -3.33332819422e-1f}) {
    p = mul_add(p, square, splat(coefficient));
  }
  const Vec near = mul_add(mul(p, square), x, x);
  return select(less(size, splat(0.625f)), near, select(less(x, splat(0.0f)), sub(splat(0.0f), far), far));
}

/// output_i = f(x_i), a Vec at a time; what is left over takes one more, padded with zeros. x and output may be the same.
template <class Function>
void map_row(const float* x, float* output, std::int64_t n, const Function& f) {
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) store(output + i, f(load(x + i)));
  if (i == n) return;
  float rest[kLanes] = {};
  for (std::int64_t j = i; j < n; ++j) rest[j - i] = x[j];
  store(rest, f(load(rest)));
  for (std::int64_t j = i; j < n; ++j) output[j] = rest[j - i];
}

}  // namespace lookback::kernels
