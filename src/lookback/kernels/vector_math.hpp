// SPDX-License-Identifier: MIT
// Powers, tanh and the logistic function of a whole Vec. Internal to the kernels.
#pragma once

#include <cstdint>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels {

// Functions of a whole Vec are objects: made before a loop, they keep their constants in registers, where engines would
// otherwise build each of them anew for every Vec.

template <class... Vecs>
void pin_all(Vecs&... x) {
  (pin(x), ...);
}

/// 2^x within 2.5 units in the last place for x in [-126, 127). 0 for x <= -127 and nearly so between the two; NaN
/// stays. Half the work of Exp.
class PowerOfTwo {
 public:
  PowerOfTwo() { pin_all(least_, whole_, one_, c1_, c2_, c3_, c4_, c5_); }

  Vec operator()(Vec x) const {
    x = max(least_, x);  // NaN stands second, so it stays
    const Vec biased = add(x, whole_);
    const Vec f = sub(x, sub(biased, whole_));
    Vec p = mul_add(c5_, f, c4_);
    p = mul_add(p, f, c3_);
    p = mul_add(p, f, c2_);
    p = mul_add(p, f, c1_);
    return mul(mul_add(p, f, one_), low_bits_to_exponent(biased));
  }

 private:
  Vec least_ = splat(-127.0f);
  // Added to a small number, it leaves the nearest whole one plus 127, the bias of exponents, in the low bits.
  Vec whole_ = splat(12582912.0f + 127.0f);
  // Least largest relative error on [-1/2, 1/2] among the polynomials that are 1 at 0: 9.2e-8.
  Vec one_ = splat(1.0f), c1_ = splat(0.69314698f), c2_ = splat(0.24022242f), c3_ = splat(0.055507337f);
  Vec c4_ = splat(0.0096715127f), c5_ = splat(0.0013264727f);
};

/// e^x within 2 units in the last place. Results below 1.7e-38 (x < -86.99) are 0: denormals would cost a hundred times
/// the rest. Above 88.73 infinity; NaN stays NaN. Polynomial of Moshier's Cephes, expf.
class Exp {
 public:
  Exp() { pin_all(least_, most_, whole_, log2_of_e_, ln2_high_, ln2_low_, one_, c2_, c3_, c4_, c5_, c6_, c7_); }

  Vec operator()(Vec x) const {
    x = max(least_, min(most_, x));  // NaN stands second, so it stays
    const Vec biased = mul_add(x, log2_of_e_, whole_);
    const Vec n = sub(biased, whole_);
    // ln 2 in two parts: n times the first is exact.
    const Vec r = mul_add(n, ln2_low_, mul_add(n, ln2_high_, x));
    Vec p = mul_add(c7_, r, c6_);
    p = mul_add(p, r, c5_);
    p = mul_add(p, r, c4_);
    p = mul_add(p, r, c3_);
    p = mul_add(p, r, c2_);
    p = add(mul_add(mul(r, r), p, r), one_);
    // n reaches 128, and 2^128 is no float: half of it goes to p.
    return mul(add(p, p), low_bits_to_exponent(biased));
  }

 private:
  Vec least_ = splat(-87.3f), most_ = splat(89.0f);
  // As above, less 1 for the half.
  Vec whole_ = splat(12582912.0f + 126.0f);
  Vec log2_of_e_ = splat(1.44269504f), ln2_high_ = splat(-0.693359375f), ln2_low_ = splat(2.12194440e-4f);
  Vec one_ = splat(1.0f), c2_ = splat(5.0000001201e-1f), c3_ = splat(1.6666665459e-1f), c4_ = splat(4.1665795894e-2f);
  Vec c5_ = splat(8.3334519073e-3f), c6_ = splat(1.3981999507e-3f), c7_ = splat(1.9875691500e-4f);
};

/// 1 / (1 + e^-x) within 4 units in the last place.
class Sigmoid {
 public:
  Vec operator()(Vec x) const { return div(splat(1.0f), add(splat(1.0f), exp_(sub(splat(0.0f), x)))); }

 private:
  Exp exp_;
};

/// Within 3 units in the last place. Near 0 by the polynomial of Moshier's Cephes, tanhf.
class Tanh {
 public:
  Tanh() { pin_all(edge_, c1_, c2_, c3_, c4_, c5_); }

  Vec operator()(Vec x) const {
    const Vec size = max(x, sub(splat(0.0f), x));
    const Vec far = sub(splat(1.0f), div(splat(2.0f), add(exp_(add(size, size)), splat(1.0f))));
    const Vec square = mul(x, x);
    Vec p = mul_add(c5_, square, c4_);
    p = mul_add(p, square, c3_);
    p = mul_add(p, square, c2_);
    p = mul_add(p, square, c1_);
    const Vec near = mul_add(mul(p, square), x, x);
    return select(less(size, edge_), near, select(less(x, splat(0.0f)), sub(splat(0.0f), far), far));
  }

 private:
  Exp exp_;
  Vec edge_ = splat(0.625f);
  Vec c1_ = splat(-3.33332819422e-1f), c2_ = splat(1.33314422036e-1f), c3_ = splat(-5.37397155531e-2f);
  Vec c4_ = splat(2.06390887954e-2f), c5_ = splat(-5.70498872745e-3f);
};

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
