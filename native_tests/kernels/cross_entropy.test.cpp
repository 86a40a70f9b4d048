// SPDX-License-Identifier: MIT
// Cross entropy of one row: known numbers, no overflow, and the gradient's sum.
#include "lookback/kernels/cross_entropy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lookback/kernels/reference/row.hpp"
#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::int64_t length(const std::vector<float>& x) { return static_cast<std::int64_t>(x.size()); }

double loss_of(std::vector<float> x, std::int64_t target) {
  return cross_entropy_row(x.data(), target, x.data(), length(x));  // in place, as the header allows
}

}  // namespace

TEST_CASE("cross entropy: known losses", "[kernels]") {
  CHECK(is_close(loss_of({2, 1, 0.1f}, 0), 0.41703002, kFloat32));
  CHECK(is_close(loss_of({0.5f, 2.5f, 0}, 1), 0.19673410, kFloat32));
  CHECK(is_close(loss_of({3}, 0), 0, kExact));
}

TEST_CASE("cross entropy: the log of a probability that is too small for f32", "[kernels]") {
  CHECK(loss_of({0, -200}, 1) == 200);
  CHECK(loss_of({1e4f, 0}, 1) == 1e4);
  CHECK(loss_of({3e38f, -3e38f}, 1) > 5.9e38);
  CHECK(loss_of({0, -kInfinity}, 1) == std::numeric_limits<double>::infinity());
}

TEST_CASE("cross entropy: NaN among the logits gives NaN", "[kernels]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(loss_of({nan, 1, 2}, 1)));
  CHECK(std::isnan(loss_of({1, 2, nan}, 0)));
  CHECK(std::isnan(loss_of({nan, nan}, 0)));
}

TEST_CASE("cross entropy: rows of every remainder against the definition", "[kernels]") {
  for (std::int64_t n = 1; n <= 35; ++n) {
    const std::vector<float> x = random_numbers(n, static_cast<std::uint64_t>(n));
    const std::int64_t target = n / 2;
    const std::vector<double> wide(x.begin(), x.end());
    std::vector<float> probabilities(x.size());
    const double loss = cross_entropy_row(x.data(), target, probabilities.data(), n);
    CHECK(is_close(loss, -reference::log_softmax(wide)[static_cast<std::size_t>(target)], kFloat32));
    CHECK_THAT(probabilities, close_to(reference::softmax(wide)));

    std::vector<float> gradient(x.size(), 1.0f);
    std::vector<double> expected = reference::softmax(wide);
    expected[static_cast<std::size_t>(target)] -= 1.0;
    for (double& value : expected) value = 1.0 + 0.5 * value;
    cross_entropy_backward_row(probabilities.data(), target, 0.5f, gradient.data(), n);
    CHECK_THAT(gradient, close_to(expected));
  }
}
