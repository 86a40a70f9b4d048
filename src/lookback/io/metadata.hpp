// SPDX-License-Identifier: MIT
// Typed key-value pairs of a model file, borrowed from its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lookback::io {

/// The numbers are GGUF's.
enum class MetadataType : std::uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  u64 = 10,
  i64 = 11,
  f64 = 12,
};

/// "u8", "string", ...
const char* name_of(MetadataType type);

/// A run of values that stays in the file's bytes until it is asked for; its extent was checked when the file was read.
/// The accessors throw FormatError when the elements are of another kind.
struct MetadataArray {
  MetadataType type = MetadataType::u8;
  std::uint64_t count = 0;
  std::span<const std::byte> bytes;

  /// Views into the file's bytes.
  std::vector<std::string_view> strings() const;
  /// f32 and f64, and integers as far as a double holds them.
  std::vector<double> numbers() const;
  /// Integers and booleans; throws for an unsigned value of 2^63 or more.
  std::vector<std::int64_t> integers() const;
};

/// Integers are exact: those that fit are std::int64_t, larger unsigned ones std::uint64_t. Strings are views.
using MetadataValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view, MetadataArray>;

struct MetadataEntry {
  std::string key;
  MetadataValue value;
};

/// As a person would write it: text quoted, arrays as their count and first few elements.
std::string to_string(const MetadataValue& value);

}  // namespace lookback::io
