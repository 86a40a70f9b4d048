// SPDX-License-Identifier: MIT
// Tensors in tests: distinct inputs, comparison of shape and numbers, and how a failure prints them.
#pragma once

#include <catch2/catch_tostring.hpp>
#include <string>
#include <vector>

#include "lookback/tensor/tensor.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

namespace lookback::test {

/// Random numbers in [-1, 1).
inline Tensor random_tensor(Shape shape, std::uint64_t seed) {
  std::vector<float> numbers = random_numbers(shape.num_elements(), seed);
  return Tensor(std::move(shape), std::move(numbers));
}

/// 1, 2, 3, ... in row-major order.
inline Tensor counted_tensor(Shape shape, float first = 1.0f) {
  std::vector<float> numbers = counted(shape.num_elements(), first);
  return Tensor(std::move(shape), std::move(numbers));
}

/// CHECK_THAT(tensor, close_to(expected)): the same shape and close numbers.
class CloseToTensor : public Catch::Matchers::MatcherGenericBase {
 public:
  CloseToTensor(Tensor expected, Tolerance tolerance) : expected_(std::move(expected)), tolerance_(tolerance) {}

  bool match(const Tensor& actual) const {
    problem_ = actual.shape() == expected_.shape()
                   ? mismatch(to_doubles(actual.values()), to_doubles(expected_.values()), tolerance_)
                   : "shape " + actual.shape().to_string() + ", expected " + expected_.shape().to_string();
    return problem_.empty();
  }

  std::string describe() const override {
    return problem_.empty() ? "is close to what was expected" : "is not close: " + problem_;
  }

 private:
  Tensor expected_;
  Tolerance tolerance_;
  mutable std::string problem_;
};

inline CloseToTensor close_to(Tensor expected, Tolerance tolerance = kFloat32) {
  return CloseToTensor(std::move(expected), tolerance);
}

}  // namespace lookback::test

template <>
struct Catch::StringMaker<lookback::Shape> {
  static std::string convert(const lookback::Shape& shape) { return shape.to_string(); }
};

template <>
struct Catch::StringMaker<lookback::Tensor> {
  static std::string convert(const lookback::Tensor& tensor) {
    std::string text = tensor.shape().to_string();
    for (float value : tensor.values()) (text += ' ') += Catch::StringMaker<float>::convert(value);
    return text;
  }
};
