// SPDX-License-Identifier: MIT
// Numbers in messages.
#include "lookback/core/check.hpp"

#include <cstdio>

namespace lookback {

void append_integer(std::string& text, std::int64_t value) { text += std::to_string(value); }

void append_unsigned(std::string& text, std::uint64_t value) { text += std::to_string(value); }

void append_number(std::string& text, double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", value);
  text += digits;
}

}  // namespace lookback
