// SPDX-License-Identifier: MIT
// Errors as values, so that a test reads code and message at once.
#pragma once

#include <string>

#include "lookback/core/error.hpp"

namespace lookback::test {

/// "shape: message" of the Error that the call throws, "no error" when it throws none.
template <typename Call>
std::string error_of(Call call) {
  try {
    static_cast<void>(call());
  } catch (const Error& error) {
    return std::string(name_of(error.code())) + ": " + error.what();
  }
  return "no error";
}

}  // namespace lookback::test
