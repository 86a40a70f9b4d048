// SPDX-License-Identifier: MIT
// The program as a shell sees it: exit status, standard output, standard error.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/files.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::fixture_path;

namespace {

struct Outcome {
  int status = -1;
  std::string output;
  std::string errors;
};

std::string read_text(const std::string& path) {
  const auto bytes = lookback::test::read_bytes(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Outcome run(const std::string& arguments) {
  // ctest may run several of these tests at once, each in a process of its own.
  static int count = 0;
  const std::string stem = LOOKBACK_SCRATCH "/program_" + std::to_string(std::hash<std::string>()(arguments)) + "_" +
                           std::to_string(count++);
  const std::string command = "\"" LOOKBACK_TOOL "\" " + arguments + " > \"" + stem + ".out\" 2> \"" + stem + ".err\"";
  Outcome outcome;
  const int status = std::system(command.c_str());
#ifdef _WIN32
  outcome.status = status;
#else
  outcome.status = WEXITSTATUS(status);
#endif
  outcome.output = read_text(stem + ".out");
  outcome.errors = read_text(stem + ".err");
  return outcome;
}

std::ptrdiff_t num_lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("program: success writes to standard output only", "[tools]") {
  const Outcome outcome = run("tokenize --model \"" + fixture_path("fixture-f32.gguf") + "\" \"the cat\"");
  CHECK(outcome.status == 0);
  CHECK(outcome.output == "[1,263,265]\n");
  CHECK(outcome.errors.empty());
}

TEST_CASE("program: a bad file is one line on standard error and status 1", "[tools]") {
  for (const std::string& path :
       {fixture_path("golden.json"), fixture_path("absent.gguf"), fixture_path("tokenizer.bin")}) {
    const Outcome outcome = run("inspect \"" + path + "\"");
    CHECK(outcome.status == 1);
    CHECK(outcome.output.empty());
    CHECK(num_lines(outcome.errors) == 1);
    CHECK_THAT(outcome.errors, ContainsSubstring("lookback: ") && ContainsSubstring(path));
  }
}

TEST_CASE("program: misuse shows the usage and status 2", "[tools]") {
  for (const char* arguments :
       {"", "fly", "inspect", "inspect --fast x", "generate --max-tokens many --model x --prompt y"}) {
    INFO(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.output.empty());
    CHECK_THAT(outcome.errors, ContainsSubstring("usage:") && ContainsSubstring("lookback tokenize"));
  }
}

TEST_CASE("program: help is no error", "[tools]") {
  const Outcome outcome = run("--help");
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.output, ContainsSubstring("lookback generate"));
}
