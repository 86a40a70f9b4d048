// SPDX-License-Identifier: MIT
// Comparison of numbers in tests: absolute OR relative tolerance, written so that NaN fails.
#pragma once

#include <catch2/matchers/catch_matchers_templated.hpp>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace lookback::test {

/// Two numbers are close when their difference is within `absolute`, or within `relative` of the expected one.
struct Tolerance {
  double absolute = 0.0;
  double relative = 0.0;
};

/// Bit for bit the same value: copies, moves, integers, and paths that promise equality.
inline constexpr Tolerance kExact{0.0, 0.0};
/// f32 against a number given to eight digits or computed in double: a few roundings of 6e-8 each at size 1, and sums
/// of some hundred products, whose roundings add up to less than a hundred of those.
inline constexpr Tolerance kFloat32{1e-5, 1e-5};
/// Numbers quoted with three digits after the point.
inline constexpr Tolerance kThreeDigits{5e-4, 0.0};

/// Equal infinities are close; NaN is close to nothing, not even to NaN.
inline bool is_close(double actual, double expected, Tolerance tolerance) {
  if (actual == expected) return true;
  if (!std::isfinite(expected)) return false;
  const double difference = std::abs(actual - expected);
  return difference <= tolerance.absolute || difference <= tolerance.relative * std::abs(expected);
}

template <typename Numbers>
std::vector<double> to_doubles(const Numbers& numbers) {
  std::vector<double> result;
  for (auto number : numbers) result.push_back(static_cast<double>(number));
  return result;
}

/// Empty when all are close, else a sentence about the first element that is not.
inline std::string mismatch(const std::vector<double>& actual, const std::vector<double>& expected,
                            Tolerance tolerance) {
  char text[160];
  if (actual.size() != expected.size()) {
    std::snprintf(text, sizeof text, "%zu numbers, expected %zu", actual.size(), expected.size());
    return text;
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (is_close(actual[i], expected[i], tolerance)) continue;
    std::snprintf(text, sizeof text, "element %zu is %.9g, expected %.9g (absolute %g, relative %g allowed)", i,
                  actual[i], expected[i], tolerance.absolute, tolerance.relative);
    return text;
  }
  return "";
}

/// CHECK_THAT(numbers, close_to({0.5, 0.25})): any range of numbers against the expected ones.
class CloseTo : public Catch::Matchers::MatcherGenericBase {
 public:
  CloseTo(std::vector<double> expected, Tolerance tolerance) : expected_(std::move(expected)), tolerance_(tolerance) {}

  template <typename Numbers>
  bool match(const Numbers& actual) const {
    problem_ = mismatch(to_doubles(actual), expected_, tolerance_);
    return problem_.empty();
  }

  std::string describe() const override {
    return problem_.empty() ? "is close to what was expected" : "is not close: " + problem_;
  }

 private:
  std::vector<double> expected_;
  Tolerance tolerance_;
  mutable std::string problem_;
};

inline CloseTo close_to(std::vector<double> expected, Tolerance tolerance = kFloat32) {
  return CloseTo(std::move(expected), tolerance);
}

/// The same against numbers of another type.
template <typename Number>
CloseTo close_to(const std::vector<Number>& expected, Tolerance tolerance = kFloat32) {
  return CloseTo(to_doubles(expected), tolerance);
}

}  // namespace lookback::test
