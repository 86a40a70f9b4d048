// SPDX-License-Identifier: MIT
#include "lookback/tools/arguments.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using lookback::tools::Arguments;
using lookback::tools::OptionRule;
using lookback::tools::UsageError;

namespace {
Arguments parse(const std::vector<std::string_view>& words) {
  constexpr OptionRule rules[] = {{"--seed"}, {"--text"}, {"--flag", false}};
  return Arguments(words, rules);
}
}  // namespace

TEST_CASE("arguments: values follow their option or its equals sign", "[tools]") {
  const Arguments arguments = parse({"--seed", "18446744073709551615", "word", "--text=a=b", "--flag", "--", "--seed"});
  CHECK(arguments.seed("--seed", 0) == 18446744073709551615u);
  CHECK(arguments.text("--text") == "a=b");
  CHECK(arguments.has("--flag"));
  CHECK(arguments.words() == std::vector<std::string>{"word", "--seed"});
  CHECK(parse({"--text", "--flag"}).text("--text") == "--flag");
  CHECK(parse({"--text", ""}).text("--text", "absent").empty());
  CHECK(parse({}).text("--text", "absent") == "absent");
}

TEST_CASE("arguments: mistakes are named", "[tools]") {
  CHECK_THROWS_MATCHES(parse({"--sede", "1"}), UsageError, MessageMatches(ContainsSubstring("--sede")));
  CHECK_THROWS_MATCHES(parse({"--seed"}), UsageError, MessageMatches(ContainsSubstring("needs a value")));
  CHECK_THROWS_MATCHES(parse({"--flag=1"}), UsageError, MessageMatches(ContainsSubstring("takes no value")));
  CHECK_THROWS_MATCHES(parse({"--seed", "1", "--seed", "2"}), UsageError, MessageMatches(ContainsSubstring("twice")));
  CHECK_THROWS_MATCHES(parse({}).required("--seed"), UsageError,
                       MessageMatches(ContainsSubstring("--seed is missing")));
}

TEST_CASE("arguments: a number is the whole text or none", "[tools]") {
  for (const char* text : {"1.5", "1x", "", " 1", "-1", "18446744073709551616"}) {
    CHECK_THROWS_AS(parse({"--seed", text}).seed("--seed", 0), UsageError);
  }
  CHECK(parse({"--seed", "-7"}).integer("--seed", 0) == -7);
  CHECK(parse({"--seed", "0.5"}).number("--seed", 0.0) == 0.5);
  CHECK(parse({"--seed", "1e-3"}).number("--seed", 0.0) == 1e-3);
  for (const char* text : {"x", "", "1,5", "0.5x"})
    CHECK_THROWS_AS(parse({"--seed", text}).number("--seed", 0.0), UsageError);
}

TEST_CASE("arguments: ids are separated by commas", "[tools]") {
  CHECK(parse({"--seed", "1,5,7"}).ids("--seed") == std::vector<std::int32_t>{1, 5, 7});
  CHECK(parse({"--seed", "-1"}).ids("--seed") == std::vector<std::int32_t>{-1});
  for (const char* text : {"", "1,,2", "1;2", "4294967296"})
    CHECK_THROWS_AS(parse({"--seed", text}).ids("--seed"), UsageError);
}
