// SPDX-License-Identifier: MIT
// A cursor over untrusted bytes: nothing is read, and no count believed, without a look at what is left.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace lookback::io {

static_assert(std::endian::native == std::endian::little, "model files are little-endian and read in place");

/// Reads little-endian values one after another. Every read past the end throws FormatError naming `subject`, what was
/// to be read, the offset and the bytes left. Returned views point into the bytes given.
class ByteReader {
 public:
  ByteReader(std::string subject, std::span<const std::byte> bytes) : subject_(std::move(subject)), bytes_(bytes) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return bytes_.size() - offset_; }
  bool at_end() const { return left() == 0; }
  const std::string& subject() const { return subject_; }

  template <typename Number>
  Number number(const char* what) {
    Number value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }

  /// The next `size` bytes.
  std::span<const std::byte> take(std::uint64_t size, const char* what);
  std::string_view text(std::uint64_t size, const char* what);

  /// Throws FormatError unless `count` items of at least `item_size` bytes (1 or more) can still follow.
  void check_count(std::uint64_t count, std::uint64_t item_size, const char* what) const;

  /// FormatError whose message starts with the subject and ends with the offset.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string subject_;
  std::span<const std::byte> bytes_;
  std::uint64_t offset_ = 0;
};

}  // namespace lookback::io
