// SPDX-License-Identifier: MIT
// Learning rates by hand.
#include "lookback/training/schedule.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/allclose.hpp"

using namespace lookback::training;
using namespace lookback::test;

namespace {

std::vector<float> rates(const Schedule& schedule, const std::vector<std::int64_t>& steps) {
  std::vector<float> result;
  for (std::int64_t step : steps) result.push_back(schedule.at(step));
  return result;
}

}  // namespace

TEST_CASE("schedule: stays unless said", "[training]") {
  CHECK_THAT(rates({.rate = 0.5f}, {0, 1, 1000000}), close_to({0.5, 0.5, 0.5}, kExact));
}

TEST_CASE("schedule: warms up in a straight line", "[training]") {
  CHECK_THAT(rates({.rate = 1.0f, .warmup = 4}, {0, 1, 2, 3, 4, 5}), close_to({0.25, 0.5, 0.75, 1, 1, 1}));
}

TEST_CASE("schedule: falls to a part of itself and stays there", "[training]") {
  const std::vector<std::int64_t> steps = {0, 1, 2, 4, 6, 8, 10, 11, 5000};
  CHECK_THAT(rates({.rate = 2.0f, .warmup = 2, .decay = Schedule::Decay::linear, .steps = 10, .least = 0.2f}, steps),
             close_to({1, 2, 2, 1.6, 1.2, 0.8, 0.4, 0.4, 0.4}));
  // Half a cosine: (1 + cos(pi / 4)) / 2 = .85355339 of the way down is left after a quarter.
  CHECK_THAT(rates({.rate = 2.0f, .warmup = 2, .decay = Schedule::Decay::cosine, .steps = 10, .least = 0.2f}, steps),
             close_to({1, 2, 2, 1.76568542, 1.2, 0.63431458, 0.4, 0.4, 0.4}));
  CHECK(Schedule{.rate = 2.0f, .decay = Schedule::Decay::cosine, .steps = 10, .least = 0.0f}.at(10) < 1e-6f);
}

TEST_CASE("schedule: no room to fall after the warm-up", "[training]") {
  const Schedule schedule{.rate = 1.0f, .warmup = 4, .decay = Schedule::Decay::cosine, .steps = 4};
  CHECK_THAT(rates(schedule, {3, 4, 5}), close_to({1, 1, 1}, kExact));
}
