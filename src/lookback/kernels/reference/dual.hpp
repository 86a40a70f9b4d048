// SPDX-License-Identifier: MIT
// Dual numbers: a value with its derivative along one direction. A reference written for any number type gives exact
// gradients when it is run on them, without a line of derivative of its own.
#pragma once

#include <cmath>

namespace lookback::kernels::reference {

/// value + slope e with e^2 = 0. Clifford, "Preliminary sketch of biquaternions", 1873.
struct Dual {
  double value = 0.0;
  double slope = 0.0;

  Dual() = default;
  Dual(double v, double s = 0.0) : value(v), slope(s) {}

  Dual& operator+=(Dual b) { return *this = Dual(value + b.value, slope + b.slope); }
};

inline Dual operator-(Dual a) { return {-a.value, -a.slope}; }
inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
inline Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
inline Dual operator/(Dual a, Dual b) {
  return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}
inline bool operator<(Dual a, Dual b) { return a.value < b.value; }
inline bool operator==(Dual a, Dual b) { return a.value == b.value; }

inline Dual exp(Dual x) { return {std::exp(x.value), std::exp(x.value) * x.slope}; }
inline Dual log(Dual x) { return {std::log(x.value), x.slope / x.value}; }
inline Dual sqrt(Dual x) { return {std::sqrt(x.value), x.slope / (2.0 * std::sqrt(x.value))}; }
inline Dual tanh(Dual x) {
  const double t = std::tanh(x.value);
  return {t, (1.0 - t * t) * x.slope};
}
inline Dual erf(Dual x) {
  return {std::erf(x.value), 2.0 / std::sqrt(std::acos(-1.0)) * std::exp(-x.value * x.value) * x.slope};
}

}  // namespace lookback::kernels::reference
