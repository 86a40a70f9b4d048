// SPDX-License-Identifier: MIT
// Parsing of the command line.
#include "lookback/tools/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "lookback/core/check.hpp"

namespace lookback::tools {

namespace {

/// The whole text as a number of that type.
template <typename Number>
Number parse(std::string_view name, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(message(name, ": \"", text, "\" is not a number it takes"));
  return value;
}

}  // namespace

Arguments::Arguments(std::span<const std::string_view> words, std::span<const OptionRule> rules) {
  bool is_literal = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (is_literal || !word.starts_with("--")) {
      words_.emplace_back(word);
      continue;
    }
    is_literal = word == "--";
    if (is_literal) continue;
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return r.name == name; });
    if (rule == rules.end()) throw UsageError(message("unknown option ", name));
    const bool is_joined = equals != std::string_view::npos;
    if (!rule->takes_value && is_joined) throw UsageError(message(name, " takes no value"));
    if (rule->takes_value && !is_joined && i + 1 == words.size()) throw UsageError(message(name, " needs a value"));
    const std::string_view value = is_joined ? word.substr(equals + 1) : rule->takes_value ? words[++i] : "";
    if (!options_.emplace(name, value).second) throw UsageError(message(name, " is given twice"));
  }
}

std::string Arguments::text(std::string_view name, std::string_view absent) const {
  const auto found = options_.find(name);
  return found == options_.end() ? std::string(absent) : found->second;
}

std::string Arguments::required(std::string_view name) const {
  if (!has(name)) throw UsageError(message(name, " is missing"));
  return text(name);
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t absent) const {
  return has(name) ? parse<std::int64_t>(name, text(name)) : absent;
}

std::uint64_t Arguments::seed(std::string_view name, std::uint64_t absent) const {
  return has(name) ? parse<std::uint64_t>(name, text(name)) : absent;
}

// Not by from_chars: Emscripten's and older compilers' libraries have it for integers only.
double Arguments::number(std::string_view name, double absent) const {
  if (!has(name)) return absent;
  std::istringstream stream(text(name));
  stream.imbue(std::locale::classic());
  double value = 0.0;
  if (!(stream >> value) || !stream.eof()) throw UsageError(message(name, ": \"", text(name), "\" is not a number"));
  return value;
}

std::vector<std::int32_t> Arguments::ids(std::string_view name) const {
  std::vector<std::int32_t> result;
  std::istringstream stream(required(name));
  for (std::string part; std::getline(stream, part, ',');) result.push_back(parse<std::int32_t>(name, part));
  if (result.empty()) throw UsageError(message(name, " is empty"));
  return result;
}

}  // namespace lookback::tools
