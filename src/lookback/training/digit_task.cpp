// SPDX-License-Identifier: MIT
// Reverse, copy, sort: endless examples on the ten digits.
#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/seq2seq/config.hpp"
#include "lookback/training/tasks.hpp"

namespace lookback::training {

namespace {

using models::seq2seq::kFirstSymbol;

enum class Kind { reverse, copy, sort };

Alphabet digits() {
  std::vector<std::string> symbols;
  for (char digit = '0'; digit <= '9'; ++digit) symbols.emplace_back(1, digit);
  return Alphabet(std::move(symbols), Unit::character);
}

class DigitTask : public Task {
 public:
  DigitTask(std::string name, Kind kind, std::int64_t least, std::int64_t most)
      : Task(std::move(name), digits(), digits()), kind_(kind), least_(least), most_(most) {}

  std::optional<Ids> answer(const Ids& source) const override {
    Ids target = source;
    if (kind_ == Kind::reverse) std::reverse(target.begin(), target.end());
    if (kind_ == Kind::sort) std::sort(target.begin(), target.end());
    return target;
  }

  Example draw(Random& random) const override {
    const auto choices = static_cast<std::uint32_t>(most_ - least_ + 1);
    return of_length(least_ + random.below(choices), random);
  }

  std::vector<std::int64_t> lengths() const override {
    std::vector<std::int64_t> result;
    for (std::int64_t length = least_; length <= most_; ++length) result.push_back(length);
    return result;
  }

  std::vector<Example> held_out(std::int64_t length, std::int64_t count, Random& random) const override {
    std::vector<Example> result;
    for (std::int64_t i = 0; i < count; ++i) result.push_back(of_length(length, random));
    return result;
  }

 private:
  Example of_length(std::int64_t length, Random& random) const {
    Example example;
    for (std::int64_t i = 0; i < length; ++i) example.source.push_back(kFirstSymbol + random.below(10));
    example.target = *answer(example.source);
    return example;
  }

  Kind kind_;
  std::int64_t least_;
  std::int64_t most_;
};

}  // namespace

std::unique_ptr<Task> make_digit_task(std::string_view name, std::int64_t least, std::int64_t most) {
  constexpr std::int64_t kMost = 200;
  if (least < 1 || most < least || most > kMost) {
    throw ValueError(message("task: lengths ", least, " to ", most, " are not within 1 to ", kMost));
  }
  const std::pair<std::string_view, Kind> kinds[] = {
      {"reverse", Kind::reverse}, {"copy", Kind::copy}, {"sort", Kind::sort}};
  for (const auto& [known, kind] : kinds) {
    if (name == known) return std::make_unique<DigitTask>(std::string(name), kind, least, most);
  }
  throw ValueError(message("task: '", name, "' is not one of reverse, copy, sort"));
}

std::unique_ptr<Task> make_task(std::string_view name) {
  if (name == "dates") return make_date_task();
  if (name == "reverse" || name == "copy" || name == "sort") return make_digit_task(name, 2, 12);
  throw ValueError(message("task: '", name, "' is not one of reverse, copy, sort, dates"));
}

}  // namespace lookback::training
