// SPDX-License-Identifier: MIT
// Numbers as one line of JSON.
#pragma once

#include <cmath>
#include <limits>
#include <ostream>
#include <span>
#include <type_traits>

namespace lookback::tools {

/// [1,2.5,null]: as many digits as it takes to read the same number back; null for what JSON can't say.
template <typename Number>
void write_json(std::ostream& output, std::span<const Number> numbers) {
  output.precision(std::numeric_limits<Number>::max_digits10);
  output << "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) output << ",";
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isfinite(numbers[i])) {
        output << "null";
        continue;
      }
    }
    output << numbers[i];
  }
  output << "]\n";
}

}  // namespace lookback::tools
