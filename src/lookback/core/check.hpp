// SPDX-License-Identifier: MIT
// Debug-only asserts of the kernels, and the one way to put a message together.
#pragma once

#include <cassert>
#include <sstream>
#include <string>

/// A programmer's mistake inside the library: checked in debug builds only, never for a user's input.
#define LOOKBACK_ASSERT(condition) assert(condition)

namespace lookback {

/// The parts one after another, as `operator<<` writes them: message("heads ", 3, " do not divide ", 10).
template <typename... Parts>
std::string message(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

}  // namespace lookback
