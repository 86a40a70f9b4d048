// SPDX-License-Identifier: MIT
// The bounds checks of the cursor.
#include "lookback/io/byte_reader.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::io {

std::span<const std::byte> ByteReader::take(std::uint64_t size, const char* what) {
  if (size > left()) fail(message(what, " needs ", size, " bytes, ", left(), " are left"));
  const auto result = bytes_.subspan(static_cast<std::size_t>(offset_), static_cast<std::size_t>(size));
  offset_ += size;
  return result;
}

std::string_view ByteReader::text(std::uint64_t size, const char* what) {
  const auto bytes = take(size, what);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void ByteReader::check_count(std::uint64_t count, std::uint64_t item_size, const char* what) const {
  if (count > left() / item_size) {
    fail(message(what, " claims ", count, " items of at least ", item_size, " bytes, ", left(), " bytes are left"));
  }
}

void ByteReader::fail(const std::string& what) const {
  throw FormatError(message(subject_, ": ", what, ", at offset ", offset_));
}

}  // namespace lookback::io
