// SPDX-License-Identifier: MIT
#include "lookback/io/model_file.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lookback/core/error.hpp"
#include "support/files.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using lookback::FormatError;
using lookback::Shape;
using lookback::io::ModelFile;
using lookback::test::fixture;
using lookback::test::to_bytes;

TEST_CASE("model file: an HTML page is called by its name", "[io]") {
  for (const char* page :
       {"<!doctype html><title>404</title>", "<!DOCTYPE HTML>", "\n  <html>", "\xEF\xBB\xBF<HTML>"}) {
    CHECK_THROWS_MATCHES(ModelFile(to_bytes(page)), FormatError, MessageMatches(ContainsSubstring("HTML")));
  }
}

TEST_CASE("model file: empty and unknown content is refused", "[io]") {
  CHECK_THROWS_MATCHES(ModelFile({}), FormatError, MessageMatches(ContainsSubstring("empty")));
  CHECK_THROWS_MATCHES(ModelFile(to_bytes("GGU")), FormatError, MessageMatches(ContainsSubstring("3")));
  CHECK_THROWS_AS(ModelFile(to_bytes(std::string(1000, 'x'))), FormatError);
  CHECK_THROWS_AS(ModelFile(std::vector<std::byte>(1000)), FormatError);
}

TEST_CASE("model file: moving it keeps every view valid and copies no bytes", "[io]") {
  auto bytes = fixture("fixture-f32.gguf");
  const std::byte* address = bytes.data();
  ModelFile first(std::move(bytes));
  const std::byte* weights = first.tensor("output_norm.weight", Shape{16}).weight.bytes;
  CHECK(weights > address);
  CHECK(weights < address + first.byte_length());
  const ModelFile second = std::move(first);
  CHECK(second.tensor("output_norm.weight", Shape{16}).weight.bytes == weights);
  CHECK(second.text("general.architecture") == "llama");
}

TEST_CASE("model file: look-ups name the key or tensor that is missing or of another kind", "[io]") {
  const ModelFile file(fixture("fixture-f32.gguf"));
  CHECK_FALSE(file.integer("nothing").has_value());
  CHECK(file.find_tensor("nothing") == nullptr);
  CHECK_THROWS_MATCHES(file.integer("general.name"), FormatError,
                       MessageMatches(ContainsSubstring("general.name should be an integer")));
  CHECK_THROWS_MATCHES(file.text("llama.block_count"), FormatError, MessageMatches(ContainsSubstring("text")));
  CHECK_THROWS_MATCHES(file.array("llama.block_count"), FormatError, MessageMatches(ContainsSubstring("array")));
  CHECK_THROWS_MATCHES(file.boolean("llama.block_count"), FormatError,
                       MessageMatches(ContainsSubstring("true or false")));
  CHECK_THROWS_MATCHES(file.number("general.name"), FormatError, MessageMatches(ContainsSubstring("number")));
  CHECK_THROWS_MATCHES(file.tensor("nothing", Shape{1}), FormatError,
                       MessageMatches(ContainsSubstring("nothing of shape [1] is missing")));
  CHECK_THROWS_MATCHES(file.tensor("output_norm.weight", Shape{4, 4}), FormatError,
                       MessageMatches(ContainsSubstring("[4, 4]") && ContainsSubstring("[16]")));
}

TEST_CASE("model file: the fixture holds the same weights in both formats", "[io]") {
  const ModelFile gguf(fixture("fixture-f32.gguf"));
  const ModelFile checkpoint(fixture("fixture.bin"));
  REQUIRE(gguf.tensors().size() == checkpoint.tensors().size());
  for (const auto& tensor : gguf.tensors()) {
    INFO(tensor.name);
    const auto& other = checkpoint.tensor(tensor.name, tensor.shape);
    CHECK(std::equal(tensor.weight.bytes, tensor.weight.bytes + tensor.byte_length, other.weight.bytes));
  }
}
