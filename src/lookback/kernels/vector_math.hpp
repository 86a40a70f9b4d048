// SPDX-License-Identifier: MIT
// exp, tanh and the logistic function of a whole Vec. Internal to the kernels.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

/// Below it, e^x counts as 0: denormals would cost a hundred times the rest.
inline constexpr float kSmallestExponent = -86.6f;

/// e^x as p 2^n, for |x| < 128. Polynomial of Moshier's Cephes, expf.
struct ScaledExp {
  Vec p;
  Vec n;
};
inline ScaledExp scaled_exp(Vec x) {
  const Vec n = round_to_even(mul(x, splat(1.44269504f)));
  // ln 2 in two parts: n times the first is exact.
  const Vec r = mul_add(n, splat(2.12194440e-4f), mul_add(n, splat(-0.693359375f), x));
  Vec p = splat(1.9875691500e-4f);
  for (float coefficient : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f}) {
    p = mul_add(p, r, splat(coefficient));
  }
  return {add(mul_add(mul(r, r), p, r), splat(1.0f)), n};
}

/// e^x within 2 units in the last place. Results below 2.4e-38 are 0; above 88.73 infinity; NaN stays NaN.
inline Vec exp(Vec x) {
  constexpr float kLargest = 89.0f;
  const ScaledExp e =
      scaled_exp(max(splat(kSmallestExponent), min(splat(kLargest), x)));  // NaN stands second: it stays
  // n reaches 128, and 2^128 is no float.
  const Vec scaled = mul(add(e.p, e.p), power_of_two(sub(e.n, splat(1.0f))));
  return select(less(x, splat(kSmallestExponent)), splat(0.0f), scaled);
}

/// The same for x <= 0 or NaN: what a softmax needs, a third faster.
inline Vec exp_of_nonpositive(Vec x) {
  const ScaledExp e = scaled_exp(max(splat(kSmallestExponent), x));
  return select(less(x, splat(kSmallestExponent)), splat(0.0f), mul(e.p, power_of_two(e.n)));
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

/// output_i = f(x_i), a Vec at a time; what is left over takes one more, padded with zeros. x and output may be the
/// same.
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
