// SPDX-License-Identifier: MIT
// The native program: finds the command and turns errors into one line and an exit status.
#include <algorithm>
#include <iostream>
#include <string_view>
#include <vector>

#include "lookback/tools/arguments.hpp"
#include "lookback/tools/commands.hpp"

namespace {

using lookback::tools::kCommands;

constexpr int kFailed = 1;
constexpr int kMisused = 2;

void write_usage(std::ostream& stream) {
  stream << "usage:\n";
  for (const auto& command : kCommands) stream << "  lookback " << command.name << " " << command.usage << "\n";
}

int misuse(std::string_view what) {
  std::cerr << "lookback: " << what << "\n";
  write_usage(std::cerr);
  return kMisused;
}

/// A message on one line, whatever a file put into it.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

int run(const std::vector<std::string_view>& words) {
  if (words.empty()) return misuse("a command is missing");
  if (words[0] == "--help" || words[0] == "help") {
    write_usage(std::cout);
    return 0;
  }
  const auto command =
      std::find_if(std::begin(kCommands), std::end(kCommands), [&](const auto& c) { return c.name == words[0]; });
  if (command == std::end(kCommands)) return misuse(one_line("unknown command " + std::string(words[0])));
  command->run(std::span(words).subspan(1), std::cout);
  std::cout.flush();
  if (std::cout) return 0;
  std::cerr << "lookback: the output can't be written\n";
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + std::min(argc, 1), argv + argc});
  } catch (const lookback::tools::UsageError& error) {
    return misuse(one_line(error.what()));
  } catch (const std::exception& error) {
    std::cerr << "lookback: " << one_line(error.what()) << "\n";
    return kFailed;
  }
}
