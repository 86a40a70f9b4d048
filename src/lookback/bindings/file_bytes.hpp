// SPDX-License-Identifier: MIT
// A file on its way into the core.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <vector>

namespace lookback::bindings {

/// Parts are appended as they arrive, so that the file lies in memory once.
class FileBytes {
 public:
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Makes room for `size` bytes in all.
emscripten::val reserve_bytes(FileBytes& file, double size);
/// Appends a Uint8Array.
emscripten::val append_bytes(FileBytes& file, emscripten::val chunk);

}  // namespace lookback::bindings
