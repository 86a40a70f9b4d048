// SPDX-License-Identifier: MIT
// The gradient check finds planted faults.
#include "support/gradient_check.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lookback/tensor/elementwise.hpp"

using namespace lookback;
using namespace lookback::test;

namespace {

/// x^2, whose gradient is multiplied by `fault`.
Tensor square(const Tensor& x, float fault) {
  TensorBuilder result(x.shape());
  for (std::int64_t i = 0; i < x.size(); ++i) result.data()[i] = x.data()[i] * x.data()[i];
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, y, fault](Gradients& g) {
      float* const d_x = g.add_into(x);
      for (std::int64_t i = 0; i < x.size(); ++i) d_x[i] += fault * 2.0f * x.data()[i] * g.of(y)[i];
    });
  }
  return y;
}

constexpr auto kReference = [](const auto& operands) {
  auto output = operands[0];
  for (auto& value : output) value = value * value;
  return output;
};

std::string check_square(float fault) {
  return gradient_mismatch([fault](const auto& x) { return square(x[0], fault); }, kReference, {random_tensor({7}, 1)});
}

}  // namespace

TEST_CASE("gradient check: a right gradient passes", "[support][gradient]") { CHECK(check_square(1.0f).empty()); }

TEST_CASE("gradient check: a planted wrong gradient is caught", "[support][gradient]") {
  CHECK(check_square(1.001f).find("gradient of operand 0: element 0 is ") == 0);
  CHECK(check_square(-1.0f).find("gradient of operand 0: element 0 is ") == 0);
  CHECK(check_square(std::nanf("")).find("gradient of operand 0: element 0 is ") == 0);
}

TEST_CASE("gradient check: a planted wrong value is caught", "[support][gradient]") {
  const std::string found =
      gradient_mismatch([](const auto& x) { return scale(x[0], 1.001f); },
                        [](const auto& operands) { return operands[0]; }, {random_tensor({3}, 2)});
  CHECK(found.find("value: element 0 is ") == 0);
}

TEST_CASE("gradient check: a reference whose gradient is not that of its value is caught", "[support][gradient]") {
  const auto broken = []<typename Number>(const Flat<Number>& operands) {
    std::vector<Number> output = operands[0];
    if constexpr (std::is_same_v<Number, Dual>) output[1].slope *= 1.001;
    return output;
  };
  const std::string found =
      gradient_mismatch([](const auto& x) { return scale(x[0], 1.0f); }, broken, {random_tensor({3}, 2)});
  CHECK(found.find("reference: operand 0, number 1: gradient ") == 0);
}
