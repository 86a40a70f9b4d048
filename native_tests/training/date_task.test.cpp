// SPDX-License-Identifier: MIT
// Dates: every way of writing them, valid days, every length.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>

#include "lookback/training/task.hpp"

using namespace lookback;
using namespace lookback::training;

namespace {

constexpr std::array kMonths = {"January", "February", "March",     "April",   "May",      "June",
                                "July",    "August",   "September", "October", "November", "December"};

/// The six ways to write a date.
std::array<std::string, 6> ways_of(unsigned year, unsigned month, unsigned day) {
  const std::string name = kMonths[month - 1], y = std::to_string(year), m = std::to_string(month),
                    d = std::to_string(day);
  const auto padded = [](const std::string& digits) { return digits.size() == 1 ? "0" + digits : digits; };
  return {d + " " + name + " " + y,
          name + " " + d + ", " + y,
          d + " " + name.substr(0, 3) + " " + y,
          name.substr(0, 3) + " " + d + ", " + y,
          d + "." + m + "." + y,
          padded(d) + "/" + padded(m) + "/" + y};
}

}  // namespace

TEST_CASE("dates: what is written is the date, in one of six ways", "[training]") {
  const auto task = make_task("dates");
  Random random(1);
  std::set<std::size_t> ways_seen;
  std::set<unsigned> months, days;
  for (int i = 0; i < 3000; ++i) {
    const Example example = task->draw(random);
    const std::string iso = task->target().text_of(example.target);
    unsigned year = 0, month = 0, day = 0;
    REQUIRE(iso.size() == 10);
    REQUIRE(std::sscanf(iso.c_str(), "%4u-%2u-%2u", &year, &month, &day) == 3);
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                           std::chrono::day(day)};
    REQUIRE((date.ok() && year >= 1900 && year < 2100));
    const auto ways = ways_of(year, month, day);
    const auto way = std::find(ways.begin(), ways.end(), task->source().text_of(example.source));
    REQUIRE(way != ways.end());
    ways_seen.insert(static_cast<std::size_t>(way - ways.begin()));
    months.insert(month);
    days.insert(day);
  }
  CHECK(ways_seen.size() == 6);
  CHECK(!task->answer(task->source().ids_of("1.1.2000")).has_value());
  CHECK(months.size() == 12);
  CHECK(days.size() == 31);
}

TEST_CASE("dates: there are examples of every length", "[training]") {
  const auto task = make_task("dates");
  for (std::int64_t length : task->lengths()) {
    Random random(2);
    const std::vector<Example> examples = task->held_out(length, 5, random);
    CHECK(examples.size() == 5);
    for (const Example& example : examples) CHECK(example.source.size() == static_cast<std::size_t>(length));
  }
  Random random(2);
  CHECK(task->held_out(7, 5, random).empty());
  CHECK(task->held_out(19, 5, random).empty());
}

TEST_CASE("dates: whatever a reader may write can be read", "[training]") {
  const auto task = make_task("dates");
  for (const char* text : {"31 December 2026", "Feb 29, 2024", "1.1.1900", "09/05/2099"}) {
    CHECK(task->source().text_of(task->source().ids_of(text)) == text);
  }
}
