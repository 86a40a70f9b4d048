// SPDX-License-Identifier: MIT
// Tasks on the ten digits.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "lookback/training/task.hpp"
#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::training;
using lookback::test::error_of;

TEST_CASE("digit tasks: reverse, copy and sort are what they say, in all lengths and digits", "[training]") {
  for (const char* name : {"reverse", "copy", "sort"}) {
    const auto task = make_task(name);
    CHECK(task->name() == name);
    CHECK(task->source().vocabulary() == 13);
    CHECK(task->lengths() == std::vector<std::int64_t>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    Random random(1);
    std::set<std::size_t> lengths;
    std::set<std::int64_t> symbols;
    bool all_right = true;
    for (int i = 0; i < 1000; ++i) {
      const Example example = task->draw(random);
      std::string expected = task->source().text_of(example.source);
      if (name == std::string("reverse")) std::reverse(expected.begin(), expected.end());
      if (name == std::string("sort")) std::sort(expected.begin(), expected.end());
      all_right = all_right && task->target().text_of(example.target) == expected;
      all_right = all_right && task->answer(example.source) == example.target;
      lengths.insert(example.source.size());
      symbols.insert(example.source.begin(), example.source.end());
    }
    CHECK(all_right);
    CHECK((lengths.size() == 11 && *lengths.begin() == 2 && *lengths.rbegin() == 12));
    CHECK((symbols.size() == 10 && *symbols.begin() == 3 && *symbols.rbegin() == 12));
  }
}

TEST_CASE("digit tasks: held-out examples have the length asked for, also beyond training", "[training]") {
  const auto task = make_digit_task("reverse", 2, 4);
  CHECK(task->lengths() == std::vector<std::int64_t>{2, 3, 4});
  for (std::int64_t length : {1, 3, 30}) {
    Random a(7), b(7);
    const std::vector<Example> examples = task->held_out(length, 20, a);
    REQUIRE(examples.size() == 20);
    const std::vector<Example> again = task->held_out(length, 20, b);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      CHECK(examples[i].source.size() == static_cast<std::size_t>(length));
      CHECK(again[i].source == examples[i].source);
    }
  }
}

TEST_CASE("digit tasks: bad names and lengths are named", "[training]") {
  CHECK(error_of([] { return make_task("revrese"); }) ==
        "value: task: 'revrese' is not one of reverse, copy, sort, dates");
  CHECK(error_of([] { return make_digit_task("dates", 2, 4); }) ==
        "value: task: 'dates' is not one of reverse, copy, sort");
  CHECK(error_of([] { return make_digit_task("copy", 0, 4); }) ==
        "value: task: lengths 0 to 4 are not within 1 to 200");
  CHECK(error_of([] { return make_digit_task("copy", 5, 4); }) ==
        "value: task: lengths 5 to 4 are not within 1 to 200");
  CHECK(error_of([] { return make_digit_task("copy", 5, 201); }) ==
        "value: task: lengths 5 to 201 are not within 1 to 200");
}
