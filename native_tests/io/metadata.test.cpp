// SPDX-License-Identifier: MIT
#include "lookback/io/metadata.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lookback/core/error.hpp"
#include "lookback/io/byte_writer.hpp"

using namespace lookback::io;
using lookback::FormatError;

TEST_CASE("metadata: numbers of every type decode from the bytes, at any address", "[io]") {
  ByteWriter writer;
  writer.number(std::uint8_t{0});
  for (const std::int16_t value : {std::int16_t{-2}, std::int16_t{300}}) writer.number(value);
  const MetadataArray array{MetadataType::i16, 2, std::span(writer.bytes()).subspan(1)};
  CHECK(array.integers() == std::vector<std::int64_t>{-2, 300});
  CHECK(array.numbers() == std::vector<double>{-2.0, 300.0});
  CHECK_THROWS_AS(array.strings(), FormatError);
}

TEST_CASE("metadata: integers are exact or refused", "[io]") {
  ByteWriter writer;
  writer.number(std::uint64_t{9007199254740993u});
  const MetadataArray exact{MetadataType::u64, 1, writer.bytes()};
  CHECK(exact.integers() == std::vector<std::int64_t>{9007199254740993});
  ByteWriter large;
  large.number(std::uint64_t{1} << 63);
  const MetadataArray too_large{MetadataType::u64, 1, large.bytes()};
  CHECK_THROWS_AS(too_large.integers(), FormatError);
  const MetadataArray floats{MetadataType::f64, 1, writer.bytes()};
  CHECK_THROWS_AS(floats.integers(), FormatError);
}

TEST_CASE("metadata: values can be shown", "[io]") {
  CHECK(to_string(MetadataValue(true)) == "true");
  CHECK(to_string(MetadataValue(std::int64_t{-5})) == "-5");
  CHECK(to_string(MetadataValue(std::uint64_t{18446744073709551615u})) == "18446744073709551615");
  CHECK(to_string(MetadataValue(0.5)) == "0.5");
  CHECK(to_string(MetadataValue(std::string_view("a\nb\x01"))) == "\"a\\nb\\x01\"");
  ByteWriter writer;
  for (float value = 0.0f; value < 6.0f; value += 1.0f) writer.number(value);
  CHECK(to_string(MetadataValue(MetadataArray{MetadataType::f32, 6, writer.bytes()})) == "f32[6] {0, 1, 2, 3, ...}");
  CHECK(to_string(MetadataValue(MetadataArray{MetadataType::string, 0, {}})) == "string[0]");
}
