// SPDX-License-Identifier: MIT
// Decoding of metadata arrays on demand, and values as text.
#include "lookback/io/metadata.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <type_traits>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/byte_reader.hpp"

namespace lookback::io {

namespace {

/// Calls `use` with each element as its own C++ type; false for elements that are no numbers.
template <typename Use>
bool for_each_number(const MetadataArray& array, Use use) {
  ByteReader reader("metadata array", array.bytes);
  const auto run = [&]<typename Number>(Number) {
    for (std::uint64_t i = 0; i < array.count; ++i) use(reader.number<Number>("element"));
    return true;
  };
  switch (array.type) {
    case MetadataType::u8:
    case MetadataType::boolean: return run(std::uint8_t{});
    case MetadataType::i8: return run(std::int8_t{});
    case MetadataType::u16: return run(std::uint16_t{});
    case MetadataType::i16: return run(std::int16_t{});
    case MetadataType::u32: return run(std::uint32_t{});
    case MetadataType::i32: return run(std::int32_t{});
    case MetadataType::u64: return run(std::uint64_t{});
    case MetadataType::i64: return run(std::int64_t{});
    case MetadataType::f32: return run(float{});
    case MetadataType::f64: return run(double{});
    case MetadataType::string:
    case MetadataType::array: return false;
  }
  return false;
}

[[noreturn]] void fail_kind(const char* wanted, const MetadataArray& array) {
  throw FormatError(message("metadata array: ", wanted, " expected, the elements are ", name_of(array.type)));
}

constexpr std::uint64_t kShownElements = 4;

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(std::int64_t value) { return message(value); }
std::string shown(std::uint64_t value) { return message(value); }

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string shown(std::string_view value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      result += "\\n";
    else if (code < 0x20)
      result += message("\\x", digits[code >> 4], digits[code & 15]);
    else
      result += c;
  }
  return result + "\"";
}

template <typename Elements>
std::string shown_elements(const Elements& elements, bool has_more) {
  std::string result;
  for (const auto& element : elements) result += (result.empty() ? "" : ", ") + shown(element);
  return " {" + result + (has_more ? ", ...}" : "}");
}

std::string shown(const MetadataArray& array) {
  const std::string kind = message(name_of(array.type), "[", array.count, "]");
  if (array.type == MetadataType::array || array.count == 0) return kind;
  MetadataArray front = array;
  front.count = std::min(array.count, kShownElements);
  const bool has_more = front.count < array.count;
  return kind + (array.type == MetadataType::string ? shown_elements(front.strings(), has_more)
                                                    : shown_elements(front.numbers(), has_more));
}

}  // namespace

const char* name_of(MetadataType type) {
  constexpr const char* names[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                   "bool", "string", "array", "u64", "i64", "f64"};
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(names) ? names[index] : "unknown";
}

std::vector<std::string_view> MetadataArray::strings() const {
  if (type != MetadataType::string) fail_kind("text", *this);
  ByteReader reader("metadata array", bytes);
  std::vector<std::string_view> result;
  reader.check_count(count, sizeof(std::uint64_t), "array");
  result.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i)
    result.push_back(reader.text(reader.number<std::uint64_t>("length"), "string"));
  return result;
}

std::vector<double> MetadataArray::numbers() const {
  std::vector<double> result;
  if (!for_each_number(*this, [&](auto number) { result.push_back(static_cast<double>(number)); }))
    fail_kind("numbers", *this);
  return result;
}

std::vector<std::int64_t> MetadataArray::integers() const {
  if (type == MetadataType::f32 || type == MetadataType::f64) fail_kind("integers", *this);
  std::vector<std::int64_t> result;
  const bool is_number = for_each_number(*this, [&](auto number) {
    if constexpr (std::is_same_v<decltype(number), std::uint64_t>) {
      if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        throw FormatError(message("metadata array: ", number, " does not fit 63 bits"));
      }
    }
    result.push_back(static_cast<std::int64_t>(number));
  });
  if (!is_number) fail_kind("integers", *this);
  return result;
}

std::string to_string(const MetadataValue& value) {
  return std::visit([](const auto& held) { return shown(held); }, value);
}

}  // namespace lookback::io
