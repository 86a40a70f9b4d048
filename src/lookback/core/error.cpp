// SPDX-License-Identifier: MIT
// Names of the error codes.
#include "lookback/core/error.hpp"

namespace lookback {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::shape: return "shape";
    case ErrorCode::value: return "value";
    case ErrorCode::range: return "range";
    case ErrorCode::format: return "format";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::memory: return "memory";
    case ErrorCode::state: return "state";
  }
  return "value";
}

}  // namespace lookback
