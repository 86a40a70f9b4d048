// SPDX-License-Identifier: MIT
// Steps on rows: first steps by hand, and every remainder against the formulas in double.
#include "lookback/kernels/optimiser.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "support/allclose.hpp"
#include "support/numbers.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

/// How far 0 moves at step 1 against gradient g: rate 1e-3, betas .9 and .999, epsilon 1e-8.
float first_move(float g) {
  const AdamStep step{.beta1 = 0.9f,
                      .beta2 = 0.999f,
                      .epsilon = 1e-8f,
                      .rate = 1e-3f / (1.0f - 0.9f),
                      .inverse_variance = 1.0f / (1.0f - 0.999f),
                      .decay = 0.0f,
                      .factor = 1.0f};
  float w = 0.0f, first = 0.0f, second = 0.0f;
  adam_row(&w, &first, &second, &g, step, 1);
  return w;
}

}  // namespace

TEST_CASE("adam: epsilon stands beside the root of the corrected moment", "[kernels]") {
  // Inside the root it would be -1e-7, before the correction -3.0653e-5, with no correction -9.6935e-5.
  constexpr Tolerance kRelative{0.0, 1e-5};
  CHECK(is_close(static_cast<double>(first_move(1e-8f)), -5e-4, kRelative));
  CHECK(is_close(static_cast<double>(first_move(1e-4f)), -9.99900010e-4, kRelative));
  CHECK(is_close(static_cast<double>(first_move(-3.0f)), 1e-3, kRelative));
  CHECK(first_move(0.0f) == 0.0f);
}

TEST_CASE("adam: rows of every remainder against the formula", "[kernels]") {
  const AdamStep s{.beta1 = 0.8f,
                   .beta2 = 0.95f,
                   .epsilon = 1e-3f,
                   .rate = 0.1f,
                   .inverse_variance = 3.0f,
                   .decay = 0.01f,
                   .factor = 0.5f};
  for (std::int64_t n = 0; n <= 35; ++n) {
    std::vector<float> w = random_numbers(n, 1), first = random_numbers(n, 2), second = random_numbers(n, 3);
    for (float& v : second) v = std::abs(v);
    const std::vector<float> g = random_numbers(n, 4);
    std::vector<double> expected_w(w.begin(), w.end()), m(first.begin(), first.end()), v(second.begin(), second.end());
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double gradient = 0.5 * static_cast<double>(g[i]);
      m[i] = 0.8 * m[i] + 0.2 * gradient;
      v[i] = 0.95 * v[i] + 0.05 * gradient * gradient;
      expected_w[i] -= 0.01 * expected_w[i] + 0.1 * m[i] / (std::sqrt(3.0 * v[i]) + 1e-3);
    }
    adam_row(w.data(), first.data(), second.data(), g.data(), s, n);
    CHECK_THAT(w, close_to(expected_w));
    CHECK_THAT(first, close_to(m));
    CHECK_THAT(second, close_to(v));
  }
}

TEST_CASE("sgd: rows of every remainder, with momentum and without", "[kernels]") {
  for (std::int64_t n = 0; n <= 35; ++n) {
    const std::vector<float> start = random_numbers(n, 1), g = random_numbers(n, 2);
    std::vector<float> plain = start, heavy = start, velocity = random_numbers(n, 3);
    std::vector<double> expected_plain, expected_heavy, expected_velocity;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double w = static_cast<double>(start[i]), gradient = 0.5 * static_cast<double>(g[i]);
      expected_plain.push_back(w - 0.1 * gradient);
      expected_velocity.push_back(0.9 * static_cast<double>(velocity[i]) + gradient);
      expected_heavy.push_back(w - 0.1 * expected_velocity.back());
    }
    sgd_row(plain.data(), nullptr, g.data(), 0.1f, 0.5f, 0.9f, n);
    sgd_row(heavy.data(), velocity.data(), g.data(), 0.1f, 0.5f, 0.9f, n);
    CHECK_THAT(plain, close_to(expected_plain));
    CHECK_THAT(heavy, close_to(expected_heavy));
    CHECK_THAT(velocity, close_to(expected_velocity));
  }
}
