// SPDX-License-Identifier: MIT
#include "lookback/io/byte_reader.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "lookback/core/error.hpp"
#include "lookback/io/byte_writer.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using lookback::FormatError;
using lookback::io::ByteReader;
using lookback::io::ByteWriter;

namespace {
std::vector<std::byte> sample() {
  ByteWriter writer;
  writer.number(std::uint8_t{7});
  writer.number(std::uint64_t{9007199254740993u});
  writer.number(1.5f);
  writer.text("abc");
  return writer.take();
}
}  // namespace

TEST_CASE("byte reader: numbers are read at any offset, exactly", "[io]") {
  const auto bytes = sample();
  ByteReader reader("sample", bytes);
  CHECK(reader.number<std::uint8_t>("first") == 7);
  CHECK(reader.number<std::uint64_t>("second") == 9007199254740993u);
  CHECK(reader.number<float>("third") == 1.5f);
  CHECK(reader.text(3, "text") == "abc");
  CHECK(reader.at_end());
}

TEST_CASE("byte reader: a read past the end names what, where and how much was left", "[io]") {
  const auto bytes = sample();
  ByteReader reader("sample", bytes);
  reader.take(10, "skipped");
  CHECK_THROWS_MATCHES(
      reader.number<std::uint64_t>("a number"), FormatError,
      MessageMatches(ContainsSubstring("sample") && ContainsSubstring("a number needs 8 bytes, 6 are left") &&
                     ContainsSubstring("offset 10")));
  CHECK(reader.left() == 6);
}

TEST_CASE("byte reader: lengths near 2^64 are refused without wrapping around", "[io]") {
  const auto bytes = sample();
  ByteReader reader("sample", bytes);
  reader.take(5, "skipped");
  CHECK_THROWS_AS(reader.take(std::numeric_limits<std::uint64_t>::max(), "all"), FormatError);
  CHECK_THROWS_AS(reader.take(std::numeric_limits<std::uint64_t>::max() - 4, "all"), FormatError);
  CHECK_THROWS_AS(reader.check_count(std::numeric_limits<std::uint64_t>::max() / 4, 8, "items"), FormatError);
  CHECK_NOTHROW(reader.check_count(2, 5, "items"));
  CHECK_THROWS_AS(reader.check_count(3, 5, "items"), FormatError);
}

TEST_CASE("byte writer: alignment pads with zeros", "[io]") {
  ByteWriter writer;
  writer.text("abc");
  writer.align(8);
  CHECK(writer.size() == 8);
  CHECK(writer.bytes()[7] == std::byte{0});
  writer.align(8);
  CHECK(writer.size() == 8);
}
