// SPDX-License-Identifier: MIT
// The errors that the library throws: one type, a code that programs read and a message that people read.
#pragma once

#include <stdexcept>
#include <string>

namespace lookback {

enum class ErrorCode {
  shape,        ///< shapes that disagree
  value,        ///< a number or word outside what the argument allows
  range,        ///< an index, token or position outside its range
  format,       ///< bytes that are not what they claim to be
  unsupported,  ///< valid, but beyond what this build does
  memory,       ///< not enough memory
  state,        ///< a call that the object's state does not allow
};

/// The code's name as other languages see it: "shape", "value", ...
const char* name_of(ErrorCode code);

/// Thrown by the checks at the entrance of every public function. The message names the function, the rule that was
/// broken and the actual shapes, numbers or offsets.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

class ShapeError : public Error {
 public:
  explicit ShapeError(const std::string& message) : Error(ErrorCode::shape, message) {}
};

class ValueError : public Error {
 public:
  explicit ValueError(const std::string& message) : Error(ErrorCode::value, message) {}
};

class RangeError : public Error {
 public:
  explicit RangeError(const std::string& message) : Error(ErrorCode::range, message) {}
};

class FormatError : public Error {
 public:
  explicit FormatError(const std::string& message) : Error(ErrorCode::format, message) {}
};

class UnsupportedError : public Error {
 public:
  explicit UnsupportedError(const std::string& message) : Error(ErrorCode::unsupported, message) {}
};

class StateError : public Error {
 public:
  explicit StateError(const std::string& message) : Error(ErrorCode::state, message) {}
};

}  // namespace lookback
