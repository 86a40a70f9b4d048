// SPDX-License-Identifier: MIT
// Debug-only asserts of the kernels, and the one way to put a message together.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

/// A programmer's mistake inside the library: checked in debug builds only, never for a user's input.
#define LOOKBACK_ASSERT(condition) assert(condition)

namespace lookback {

// No streams: their locales alone would be a third of the wasm build.
void append_integer(std::string& text, std::int64_t value);
void append_unsigned(std::string& text, std::uint64_t value);
/// Six significant digits, as printf's %g.
void append_number(std::string& text, double value);

template <typename Part>
void append_part(std::string& text, const Part& part) {
  if constexpr (std::is_same_v<Part, char>) {
    text += part;
  } else if constexpr (std::is_integral_v<Part> && std::is_unsigned_v<Part>) {
    append_unsigned(text, part);
  } else if constexpr (std::is_integral_v<Part>) {
    append_integer(text, part);
  } else if constexpr (std::is_floating_point_v<Part>) {
    append_number(text, static_cast<double>(part));
  } else if constexpr (requires { part.to_string(); }) {
    text += part.to_string();
  } else {
    text += std::string_view(part);
  }
}

/// The parts one after another: message("heads ", 3, " do not divide ", 10). Texts, numbers, and whatever has
/// to_string().
template <typename... Parts>
std::string message(const Parts&... parts) {
  std::string text;
  (append_part(text, parts), ...);
  return text;
}

}  // namespace lookback
