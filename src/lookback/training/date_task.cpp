// SPDX-License-Identifier: MIT
// Dates as people write them, to the form of ISO 8601.
#include <array>

#include "lookback/core/check.hpp"
#include "lookback/training/tasks.hpp"

namespace lookback::training {

namespace {

constexpr std::array kMonths = {"January", "February", "March",     "April",   "May",      "June",
                                "July",    "August",   "September", "October", "November", "December"};

struct Date {
  std::uint32_t year, month, day;  ///< month and day from 1
};

std::uint32_t days_in(std::uint32_t year, std::uint32_t month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

Date random_date(Random& random) {
  Date date{1900 + random.below(200), 1 + random.below(12), 1};
  date.day += random.below(days_in(date.year, date.month));
  return date;
}

std::string two_digits(std::uint32_t n) { return message(n / 10, n % 10); }

std::string iso(const Date& date) { return message(date.year, '-', two_digits(date.month), '-', two_digits(date.day)); }

/// One of six common ways.
std::string written(const Date& date, std::uint32_t way) {
  const std::string_view month = kMonths[date.month - 1];
  switch (way) {
    case 0: return message(date.day, ' ', month, ' ', date.year);
    case 1: return message(month, ' ', date.day, ", ", date.year);
    case 2: return message(date.day, ' ', month.substr(0, 3), ' ', date.year);
    case 3: return message(month.substr(0, 3), ' ', date.day, ", ", date.year);
    case 4: return message(date.day, '.', date.month, '.', date.year);
    default: return message(two_digits(date.day), '/', two_digits(date.month), '/', date.year);
  }
}

/// Every character that `written` can give, in order of their codes.
Alphabet written_characters() {
  std::array<bool, 128> seen{};
  for (char c : std::string_view("0123456789 ,./")) seen[static_cast<std::size_t>(c)] = true;
  for (std::string_view month : kMonths) {
    for (char c : month) seen[static_cast<std::size_t>(c)] = true;
  }
  std::vector<std::string> symbols;
  for (std::size_t c = 0; c < seen.size(); ++c) {
    if (seen[c]) symbols.emplace_back(1, static_cast<char>(c));
  }
  return Alphabet(std::move(symbols), Unit::character);
}

Alphabet iso_characters() {
  std::vector<std::string> symbols = {"-"};
  for (char digit = '0'; digit <= '9'; ++digit) symbols.emplace_back(1, digit);
  return Alphabet(std::move(symbols), Unit::character);
}

class DateTask : public Task {
 public:
  DateTask() : Task("dates", written_characters(), iso_characters()) {}

  std::optional<Ids> answer(const Ids&) const override { return std::nullopt; }

  Example draw(Random& random) const override {
    const Date date = random_date(random);
    return {source().ids_of(written(date, random.below(6))), target().ids_of(iso(date))};
  }

  std::vector<std::int64_t> lengths() const override { return {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}; }

  std::vector<Example> held_out(std::int64_t length, std::int64_t count, Random& random) const override {
    std::vector<Example> result;
    // The rarest length, a long month's last days, is one in a hundred.
    for (std::int64_t tries = 0; tries < 1000 * count && static_cast<std::int64_t>(result.size()) < count; ++tries) {
      Example example = draw(random);
      if (static_cast<std::int64_t>(example.source.size()) == length) result.push_back(std::move(example));
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Task> make_date_task() { return std::make_unique<DateTask>(); }

}  // namespace lookback::training
