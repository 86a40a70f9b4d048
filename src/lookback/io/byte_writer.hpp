// SPDX-License-Identifier: MIT
// Little-endian values appended to a growing run of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lookback::io {

class ByteWriter {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    append(std::as_bytes(std::span(&value, 1)));
  }
  void text(std::string_view text) { append(std::as_bytes(std::span(text))); }
  void append(std::span<const std::byte> bytes) {
    const std::size_t start = bytes_.size();
    bytes_.resize(start + bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(start));
  }
  /// Zeros up to the next multiple of `alignment`.
  void align(std::size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }

  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// Gives the bytes away and starts anew.
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace lookback::io
