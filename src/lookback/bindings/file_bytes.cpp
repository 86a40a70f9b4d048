// SPDX-License-Identifier: MIT
// Copying parts of a file in.
#include "lookback/bindings/file_bytes.hpp"

#include <emscripten/bind.h>

#include <algorithm>
#include <cstdint>

namespace lookback::bindings {

using emscripten::val;

val reserve_bytes(FileBytes& file, double size) {
  file.bytes().reserve(static_cast<std::size_t>(std::max(size, 0.0)));
  return val::object();
}

val append_bytes(FileBytes& file, val chunk) {
  const auto size = chunk["length"].as<std::size_t>();
  const std::size_t start = file.bytes().size();
  file.bytes().resize(start + size);
  auto* target = reinterpret_cast<std::uint8_t*>(file.bytes().data() + start);
  val(emscripten::typed_memory_view(size, target)).call<void>("set", chunk);
  return val::object();
}

}  // namespace lookback::bindings
