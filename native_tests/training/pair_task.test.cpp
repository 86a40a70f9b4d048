// SPDX-License-Identifier: MIT
// The reader's own pairs.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "lookback/training/task.hpp"
#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::training;
using lookback::test::error_of;

namespace {

/// "0" -> "a 0", "1" -> "a 1", ..: number i has i % 3 + 1 symbols.
std::vector<TextPair> numbered(int count) {
  std::vector<TextPair> pairs;
  for (int i = 0; i < count; ++i) {
    std::string source = "n" + std::to_string(i);
    for (int more = 0; more < i % 3; ++more) source += " x";
    pairs.push_back({source, "a " + std::to_string(i)});
  }
  return pairs;
}

}  // namespace

TEST_CASE("pairs: lines with a tab", "[training]") {
  const std::vector<TextPair> pairs = parse_pairs("hello\tbonjour\r\n\na b\tc d\tCC-BY\n\tx\nlast\tone");
  REQUIRE(pairs.size() == 4);
  CHECK((pairs[0].source == "hello" && pairs[0].target == "bonjour"));
  CHECK((pairs[1].source == "a b" && pairs[1].target == "c d"));
  CHECK((pairs[2].source.empty() && pairs[2].target == "x"));
  CHECK((pairs[3].source == "last" && pairs[3].target == "one"));
  CHECK(parse_pairs("").empty());
  CHECK(parse_pairs("\n\n").empty());
  CHECK(error_of([] { return parse_pairs("a\tb\n\nno tab\n"); }) ==
        "value: task: line 3 has no tab between source and target");
}

TEST_CASE("pairs: every tenth is held out and never trained on", "[training]") {
  const auto task = make_pair_task(numbered(40), Unit::word);
  CHECK(task->source().vocabulary() == 3 + 41);
  CHECK(task->target().vocabulary() == 3 + 41);
  Random random(1);
  std::set<std::string> trained;
  for (int i = 0; i < 2000; ++i) trained.insert(task->target().text_of(task->draw(random).target));
  CHECK(trained.size() == 36);
  std::set<std::string> held_out;
  for (std::int64_t length : task->lengths()) {
    for (const Example& example : task->held_out(length, 100, random)) {
      CHECK(example.source.size() == static_cast<std::size_t>(length));
      held_out.insert(task->target().text_of(example.target));
    }
  }
  CHECK(held_out == std::set<std::string>{"a 9", "a 19", "a 29", "a 39"});
  for (const std::string& text : held_out) CHECK(!trained.contains(text));
  CHECK(task->held_out(1, 1, random).size() == 1);
  CHECK(task->held_out(50, 1, random).empty());
}

TEST_CASE("pairs: fewer than ten are all trained on", "[training]") {
  const auto task = make_pair_task({{"a", "b"}}, Unit::character);
  CHECK(task->lengths().empty());
  Random random(1);
  CHECK(task->target().text_of(task->draw(random).target) == "b");
}

TEST_CASE("pairs: the answer is that of the pair, held out or not, and no other source has one", "[training]") {
  const auto task = make_pair_task(numbered(20), Unit::word);
  for (int i : {0, 5, 9, 19}) {
    const TextPair pair = numbered(20)[static_cast<std::size_t>(i)];
    CHECK(task->answer(task->source().ids_of(pair.source)) == task->target().ids_of(pair.target));
  }
  CHECK(!task->answer(task->source().ids_of("x")).has_value());
}

TEST_CASE("pairs: symbols of both sides, each on its own", "[training]") {
  const auto task = make_pair_task({{"ba", "x"}, {"c", "yx"}}, Unit::character);
  CHECK(task->source().symbols() == std::vector<std::string>{"a", "b", "c"});
  CHECK(task->target().symbols() == std::vector<std::string>{"x", "y"});
}

TEST_CASE("pairs: what is wrong with which", "[training]") {
  CHECK(error_of([] { return make_pair_task({}, Unit::word); }) == "value: task: there are no pairs");
  CHECK(error_of([] {
          return make_pair_task({{"a", "b"}, {"a", " "}}, Unit::word);
        }) == "value: task: pair 2 has a side of 0 symbols, allowed are 1 to 200");
  CHECK(error_of([] {
          return make_pair_task({{std::string(201, 'a'), "b"}}, Unit::character);
        }) == "value: task: pair 1 has a side of 201 symbols, allowed are 1 to 200");
  CHECK(error_of([] { return make_pair_task({{std::string(200, 'a'), "b"}}, Unit::character), 0; }) == "no error");
}
