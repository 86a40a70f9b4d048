// SPDX-License-Identifier: MIT
// The double oracles of one row against numbers that can be redone by hand.
#include "lookback/kernels/reference/row.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {
constexpr double kDropped = -std::numeric_limits<double>::infinity();
// Expected numbers are given to eight digits.
constexpr Tolerance kEightDigits{1e-8, 0.0};
}  // namespace

TEST_CASE("reference softmax: hand numbers, large logits, dropped and empty rows", "[kernels][reference]") {
  CHECK_THAT(reference::softmax<double>({0.0, std::log(3.0)}), close_to({0.25, 0.75}, kEightDigits));
  CHECK_THAT(reference::softmax<double>({1000, 1001, 1002}),
             close_to({0.09003057, 0.24472847, 0.66524096}, kEightDigits));
  CHECK_THAT(reference::softmax<double>({kDropped, kDropped}), close_to({0, 0}, kExact));
  CHECK(reference::softmax<double>({}).empty());
  CHECK_THAT(reference::log_softmax<double>({0.0, std::log(3.0)}),
             close_to({std::log(0.25), std::log(0.75)}, kEightDigits));
}

TEST_CASE("reference norms: hand numbers", "[kernels][reference]") {
  const reference::Row ones(4, 1.0);
  const reference::Row zeros(4, 0.0);
  CHECK_THAT(reference::layer_norm<double>({1, 2, 3, 4}, ones, zeros, 1e-5),
             close_to({-1.34163542, -0.44721181, 0.44721181, 1.34163542}, kEightDigits));
  CHECK_THAT(reference::layer_norm<double>({1, 3}, {2, 3}, {10, 20}, 0.0), close_to({8, 23}, kExact));
  CHECK_THAT(reference::rms_norm<double>({0.02, 0.02}, {1, 2}, 1e-5), close_to({0.98772960, 1.97545920}, kEightDigits));
}

TEST_CASE("reference activations: hand numbers", "[kernels][reference]") {
  CHECK_THAT(reference::Row({reference::sigmoid(0.0), reference::swish(1.0, 1), reference::gelu_erf(1.0),
                             reference::gelu_tanh(1.0), reference::gelu_erf(-3.0), reference::gelu_tanh(-3.0)}),
             close_to({0.5, 0.73105858, 0.84134475, 0.84119199, -0.00404969, -0.00363739}, kEightDigits));
}
