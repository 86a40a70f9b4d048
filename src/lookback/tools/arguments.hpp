// SPDX-License-Identifier: MIT
// The command line as options and the words between them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lookback::tools {

/// A command line that the command does not understand: answered with its usage and exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One option that a command knows.
struct OptionRule {
  std::string_view name;    ///< with its dashes: "--seed"
  bool takes_value = true;  ///< "--seed 1" or "--seed=1"; else a flag
};

class Arguments {
 public:
  /// Words after "--" are never options. Throws UsageError for an unknown, repeated or incomplete option.
  Arguments(std::span<const std::string_view> words, std::span<const OptionRule> rules);

  const std::vector<std::string>& words() const { return words_; }
  bool has(std::string_view name) const { return options_.contains(name); }

  /// The option's text, or `absent`. Numbers must be whole and in range: UsageError names option and text.
  std::string text(std::string_view name, std::string_view absent = "") const;
  std::string required(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t absent) const;
  std::uint64_t seed(std::string_view name, std::uint64_t absent) const;
  double number(std::string_view name, double absent) const;
  /// "1,5,7"; may not be empty.
  std::vector<std::int32_t> ids(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> options_;
  std::vector<std::string> words_;
};

}  // namespace lookback::tools
