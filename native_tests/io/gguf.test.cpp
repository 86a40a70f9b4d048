// SPDX-License-Identifier: MIT
#include "lookback/io/gguf.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>

#include "lookback/core/error.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using namespace lookback::io;
using lookback::FormatError;
using lookback::Shape;
using lookback::UnsupportedError;
using lookback::kernels::WeightType;

namespace {

std::vector<float> row_of(const TensorEntry& tensor, std::int64_t row) {
  std::vector<float> values(static_cast<std::size_t>(tensor.weight.cols));
  lookback::kernels::read_row(tensor.weight, row, values.data());
  return values;
}

void write_text(ByteWriter& writer, std::string_view text) {
  writer.number(static_cast<std::uint64_t>(text.size()));
  writer.text(text);
}

/// A header, then whatever the test appends.
ByteWriter header(std::uint32_t version, std::uint64_t num_tensors, std::uint64_t num_keys) {
  ByteWriter writer;
  writer.text("GGUF");
  writer.number(version);
  writer.number(num_tensors);
  writer.number(num_keys);
  return writer;
}

/// A file of one tensor "w" with these fields and 64 bytes of data.
std::vector<std::byte> one_tensor(std::vector<std::uint64_t> dims, std::uint32_t type, std::uint64_t offset) {
  ByteWriter writer = header(3, 1, 0);
  write_text(writer, "w");
  writer.number(static_cast<std::uint32_t>(dims.size()));
  for (const auto extent : dims) writer.number(extent);
  writer.number(type);
  writer.number(offset);
  writer.align(32);
  for (int i = 0; i < 16; ++i) writer.number(static_cast<float>(i));
  return writer.take();
}

template <typename Value>
void write_value(ByteWriter& writer, std::string_view key, MetadataType type, Value value) {
  write_text(writer, key);
  writer.number(static_cast<std::uint32_t>(type));
  writer.number(value);
}

}  // namespace

TEST_CASE("gguf: what is written is read back", "[io][gguf]") {
  GgufWriter writer(64);
  writer.set_u32("a", 7);
  writer.set_u64("b", 9007199254740993u);
  writer.set_f32("c", 0.1f);
  writer.set_bool("d", true);
  writer.set_string("e", "text");
  const std::vector<std::string> names = {"x", "", "yz"};
  writer.set_strings("f", names);
  writer.set_floats("g", std::vector<float>{1.5f, -2.0f});
  writer.set_integers("h", std::vector<std::int32_t>{-1, 3});
  writer.add_tensor("m", Shape{2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}, WeightType::f32);
  writer.add_tensor("n", Shape{3}, std::vector<float>{1, 0.5f, -65504}, WeightType::f16);
  const ModelFile file(writer.finish());

  CHECK(file.format() == FileFormat::gguf);
  CHECK(file.version() == 3);
  CHECK(file.integer("a") == 7);
  CHECK(file.integer("b") == 9007199254740993);
  CHECK(file.number("c") == static_cast<double>(0.1f));
  CHECK(file.boolean("d") == true);
  CHECK(file.text("e") == "text");
  CHECK(file.array("f")->strings() == std::vector<std::string_view>{"x", "", "yz"});
  CHECK(file.array("g")->numbers() == std::vector<double>{1.5, -2.0});
  CHECK(file.array("h")->integers() == std::vector<std::int64_t>{-1, 3});
  const TensorEntry& matrix = file.tensor("m", Shape{2, 3});
  CHECK(row_of(matrix, 1) == std::vector<float>{4, 5, 6});
  CHECK(row_of(file.tensor("n", Shape{3}), 0) == std::vector<float>{1, 0.5f, -65504});
  CHECK(matrix.offset % 64 == 0);
  CHECK(file.num_parameters() == 9);
}

TEST_CASE("gguf: every metadata type is read, nested arrays too", "[io][gguf]") {
  ByteWriter writer = header(2, 0, 12);
  write_value(writer, "u8", MetadataType::u8, std::uint8_t{255});
  write_value(writer, "i8", MetadataType::i8, std::int8_t{-128});
  write_value(writer, "u16", MetadataType::u16, std::uint16_t{65535});
  write_value(writer, "i16", MetadataType::i16, std::int16_t{-3});
  write_value(writer, "u32", MetadataType::u32, std::uint32_t{4294967295u});
  write_value(writer, "i32", MetadataType::i32, std::int32_t{-4});
  write_value(writer, "i64", MetadataType::i64, std::int64_t{-9007199254740993});
  write_value(writer, "u64", MetadataType::u64, std::uint64_t{18446744073709551615u});
  write_value(writer, "f64", MetadataType::f64, 0.1);
  write_value(writer, "bool", MetadataType::boolean, std::uint8_t{0});
  write_text(writer, "nested");
  writer.number(static_cast<std::uint32_t>(MetadataType::array));
  writer.number(static_cast<std::uint32_t>(MetadataType::array));
  writer.number(std::uint64_t{1});
  writer.number(static_cast<std::uint32_t>(MetadataType::u8));
  writer.number(std::uint64_t{2});
  writer.text("ab");
  write_value(writer, "last", MetadataType::u8, std::uint8_t{1});
  const ModelFile file(writer.take());

  CHECK(file.version() == 2);
  CHECK(file.integer("u8") == 255);
  CHECK(file.integer("i8") == -128);
  CHECK(file.integer("u16") == 65535);
  CHECK(file.integer("i16") == -3);
  CHECK(file.integer("u32") == 4294967295);
  CHECK(file.integer("i32") == -4);
  CHECK(file.integer("i64") == -9007199254740993);
  CHECK(std::get<std::uint64_t>(*file.find_metadata("u64")) == 18446744073709551615u);
  CHECK_THROWS_MATCHES(file.integer("u64"), FormatError, MessageMatches(ContainsSubstring("u64")));
  CHECK(file.number("f64") == 0.1);
  CHECK(file.boolean("bool") == false);
  CHECK(file.array("nested")->count == 1);
  CHECK(file.integer("last") == 1);
}

TEST_CASE("gguf: other versions and byte orders are refused by name", "[io][gguf]") {
  CHECK_THROWS_MATCHES(read_gguf(header(1, 0, 0).take()), UnsupportedError,
                       MessageMatches(ContainsSubstring("version 1")));
  CHECK_THROWS_MATCHES(read_gguf(header(4, 0, 0).take()), UnsupportedError,
                       MessageMatches(ContainsSubstring("version 4")));
  CHECK_THROWS_MATCHES(read_gguf(header(0x03000000, 0, 0).take()), UnsupportedError,
                       MessageMatches(ContainsSubstring("big-endian")));
  CHECK_NOTHROW(read_gguf(header(2, 0, 0).bytes()));
}

TEST_CASE("gguf: an unknown tensor type names the type and the tensor", "[io][gguf]") {
  CHECK_THROWS_MATCHES(read_gguf(one_tensor({4}, 77, 0)), UnsupportedError,
                       MessageMatches(ContainsSubstring("77") && ContainsSubstring("tensor w")));
}

TEST_CASE("gguf: offsets and extents beyond the data are refused, not wrapped", "[io][gguf]") {
  CHECK_NOTHROW(read_gguf(one_tensor({16}, 0, 0)));
  CHECK_THROWS_MATCHES(read_gguf(one_tensor({17}, 0, 0)), FormatError,
                       MessageMatches(ContainsSubstring("68 bytes at 0")));
  CHECK_THROWS_MATCHES(read_gguf(one_tensor({1}, 0, 3000000000u / 32 * 32)), FormatError,
                       MessageMatches(ContainsSubstring("3000000000")));
  CHECK_THROWS_AS(read_gguf(one_tensor({1}, 0, ~std::uint64_t{31})), FormatError);
  CHECK_THROWS_AS(read_gguf(one_tensor({std::uint64_t{1} << 62}, 0, 0)), FormatError);
  CHECK_THROWS_AS(read_gguf(one_tensor({std::uint64_t{1} << 33, std::uint64_t{1} << 33}, 0, 0)), FormatError);
  CHECK_THROWS_AS(read_gguf(one_tensor({0, ~std::uint64_t{0}}, 0, 0)), FormatError);
  CHECK_THROWS_MATCHES(read_gguf(one_tensor({1}, 0, 4)), FormatError, MessageMatches(ContainsSubstring("alignment")));
  CHECK_THROWS_AS(read_gguf(one_tensor({1, 1, 1, 1, 1}, 0, 0)), FormatError);
}

TEST_CASE("gguf: scalars have one element, an extent of 0 none", "[io][gguf]") {
  const ModelFile scalar(one_tensor({}, 0, 32));
  CHECK(scalar.tensors()[0].shape.num_elements() == 1);
  CHECK(row_of(scalar.tensors()[0], 0) == std::vector<float>{8.0f});
  const ModelFile empty(one_tensor({4, 0}, 0, 0));
  CHECK(empty.tensors()[0].shape == Shape{0, 4});
  CHECK(empty.tensors()[0].byte_length == 0);
}

TEST_CASE("gguf: lying counts are refused before anything is allocated", "[io][gguf]") {
  const std::uint64_t huge = ~std::uint64_t{0};
  CHECK_THROWS_MATCHES(read_gguf(header(3, 0, huge).bytes()), FormatError,
                       MessageMatches(ContainsSubstring("metadata claims")));
  CHECK_THROWS_MATCHES(read_gguf(header(3, huge, 0).bytes()), FormatError,
                       MessageMatches(ContainsSubstring("tensor directory claims")));

  ByteWriter array = header(3, 0, 1);
  write_text(array, "key");
  array.number(static_cast<std::uint32_t>(MetadataType::array));
  array.number(static_cast<std::uint32_t>(MetadataType::f64));
  array.number(std::uint64_t{1} << 61);
  CHECK_THROWS_MATCHES(read_gguf(array.bytes()), FormatError, MessageMatches(ContainsSubstring("array claims")));

  ByteWriter text = header(3, 0, 1);
  text.number(huge);
  text.text("0123456789abcdef");
  CHECK_THROWS_MATCHES(read_gguf(text.bytes()), FormatError, MessageMatches(ContainsSubstring("metadata key needs")));
}

TEST_CASE("gguf: unknown metadata types, odd truth values and deep nesting are refused", "[io][gguf]") {
  ByteWriter unknown = header(3, 0, 1);
  write_value(unknown, "key", static_cast<MetadataType>(13), std::uint64_t{0});
  CHECK_THROWS_MATCHES(read_gguf(unknown.bytes()), FormatError, MessageMatches(ContainsSubstring("13")));

  ByteWriter truth = header(3, 0, 1);
  write_value(truth, "key", MetadataType::boolean, std::uint8_t{2});
  CHECK_THROWS_AS(read_gguf(truth.bytes()), FormatError);

  ByteWriter deep = header(3, 0, 1);
  write_text(deep, "key");
  deep.number(static_cast<std::uint32_t>(MetadataType::array));
  for (int i = 0; i < 1000; ++i) {
    deep.number(static_cast<std::uint32_t>(MetadataType::array));
    deep.number(std::uint64_t{1});
  }
  CHECK_THROWS_MATCHES(read_gguf(deep.bytes()), FormatError, MessageMatches(ContainsSubstring("nested")));
}

TEST_CASE("gguf: names that appear twice and odd alignments are refused", "[io][gguf]") {
  GgufWriter twice;
  twice.set_u32("a", 1);
  twice.set_u32("a", 2);
  CHECK_THROWS_MATCHES(ModelFile(twice.finish()), FormatError, MessageMatches(ContainsSubstring("a appears twice")));

  GgufWriter tensors;
  tensors.add_tensor("t", Shape{1}, std::vector<float>{1}, WeightType::f32);
  tensors.add_tensor("t", Shape{1}, std::vector<float>{2}, WeightType::f32);
  CHECK_THROWS_MATCHES(ModelFile(tensors.finish()), FormatError, MessageMatches(ContainsSubstring("t appears twice")));

  for (const std::uint32_t alignment : {0u, 4u, 33u, 4294967288u}) {
    ByteWriter writer = header(3, 0, 1);
    write_value(writer, "general.alignment", MetadataType::u32, alignment);
    CHECK_THROWS_MATCHES(read_gguf(writer.bytes()), FormatError,
                         MessageMatches(ContainsSubstring("general.alignment")));
  }
}

TEST_CASE("gguf: the writer refuses values that do not fit the shape", "[io][gguf]") {
  GgufWriter writer;
  CHECK_THROWS_AS(writer.add_tensor("t", Shape{2, 2}, std::vector<float>{1, 2, 3}, WeightType::f32),
                  lookback::ShapeError);
  CHECK_THROWS_AS(GgufWriter(12), lookback::ValueError);
}
