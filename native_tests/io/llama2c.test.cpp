// SPDX-License-Identifier: MIT
#include "lookback/io/llama2c.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstring>
#include <limits>

#include "lookback/core/error.hpp"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using namespace lookback::io;
using lookback::FormatError;
using lookback::Shape;
using lookback::UnsupportedError;

namespace {

constexpr Llama2cHeader kHeader = {.width = 8,
                                   .feed_forward = 6,
                                   .layers = 2,
                                   .heads = 4,
                                   .kv_heads = 2,
                                   .vocabulary = 5,
                                   .context = 3,
                                   .separate_output = false};

std::size_t size_of(const std::string& name) {
  if (name.ends_with("norm.weight")) return 8;
  if (name.find("ffn") != std::string::npos) return 48;
  if (name.find("attn_k") != std::string::npos || name.find("attn_v") != std::string::npos) return 32;
  return name.starts_with("blk") ? 64 : 40;
}

/// Every tensor is filled with a number of its own, made from its name.
float mark_of(const std::string& name) {
  float sum = 0.0f;
  for (const char c : name) sum = sum * 3.0f / 4.0f + static_cast<float>(c);
  return sum;
}

std::vector<std::byte> checkpoint(bool separate_output) {
  Llama2cHeader header = kHeader;
  header.separate_output = separate_output;
  return write_llama2c(header,
                       [](const std::string& name) { return std::vector<float>(size_of(name), mark_of(name)); });
}

std::vector<std::byte> with_field(int index, std::int32_t value) {
  auto bytes = checkpoint(false);
  std::memcpy(bytes.data() + 4 * index, &value, sizeof value);
  return bytes;
}

}  // namespace

TEST_CASE("llama2.c: every tensor is found at its place, under GGUF's name", "[io][llama2c]") {
  const bool separate_output = GENERATE(false, true);
  const ModelFile file(checkpoint(separate_output));
  CHECK(file.format() == FileFormat::llama2c);
  CHECK(file.integer("llama.attention.head_count_kv") == 2);
  CHECK(file.integer("llama.vocab_size") == 5);
  CHECK(file.text("general.architecture") == "llama");
  CHECK(file.tensors().size() == (separate_output ? 21u : 20u));
  CHECK((file.find_tensor("output.weight") != nullptr) == separate_output);
  for (const auto& tensor : file.tensors()) {
    std::vector<float> row(static_cast<std::size_t>(tensor.weight.cols));
    lookback::kernels::read_row(tensor.weight, tensor.weight.rows - 1, row.data());
    INFO(tensor.name);
    CHECK(row == std::vector<float>(row.size(), mark_of(tensor.name)));
  }
  CHECK_NOTHROW(file.tensor("blk.1.attn_k.weight", Shape{4, 8}));
  CHECK_NOTHROW(file.tensor("blk.1.ffn_down.weight", Shape{8, 6}));
}

TEST_CASE("llama2.c: the length must be exactly what the header asks for", "[io][llama2c]") {
  auto longer = checkpoint(false);
  const std::size_t size = longer.size();
  longer.push_back(std::byte{0});
  CHECK_THROWS_MATCHES(
      ModelFile(longer), FormatError,
      MessageMatches(ContainsSubstring(std::to_string(size)) && ContainsSubstring(std::to_string(size + 1))));
  auto shorter = checkpoint(true);
  shorter.pop_back();
  CHECK_THROWS_AS(ModelFile(shorter), FormatError);
}

TEST_CASE("llama2.c: every header field may lie and none is believed", "[io][llama2c]") {
  const int index = GENERATE(range(0, 7));
  const std::int32_t value = GENERATE(std::numeric_limits<std::int32_t>::min(), -2147483647, -1000000, -1, 0, 7,
                                      1000000, 16777216, std::numeric_limits<std::int32_t>::max());
  const auto bytes = with_field(index, value);
  if (bytes == checkpoint(false)) SKIP("the field says this already");
  CHECK_THROWS_AS(read_llama2c(bytes), FormatError);
  CHECK_THROWS_AS(ModelFile(bytes), FormatError);
}

TEST_CASE("llama2.c: an impossible header says which field is wrong", "[io][llama2c]") {
  CHECK_THROWS_MATCHES(read_llama2c(with_field(3, 0)), FormatError,
                       MessageMatches(ContainsSubstring("n_heads should be 1 to")));
  CHECK_THROWS_MATCHES(read_llama2c(with_field(3, 3)), FormatError,
                       MessageMatches(ContainsSubstring("n_heads 3 does not divide dim 8")));
  CHECK_THROWS_MATCHES(read_llama2c(with_field(4, 3)), FormatError, MessageMatches(ContainsSubstring("n_kv_heads 3")));
  CHECK_THROWS_MATCHES(read_llama2c(with_field(3, 8)), FormatError, MessageMatches(ContainsSubstring("odd")));
}

TEST_CASE("llama2.c: later versions are refused by number", "[io][llama2c]") {
  auto bytes = checkpoint(false);
  const std::int32_t fields[2] = {0x616b3432, 2};
  std::memcpy(bytes.data(), fields, sizeof fields);
  CHECK_THROWS_MATCHES(ModelFile(bytes), UnsupportedError, MessageMatches(ContainsSubstring("version 2")));
}

TEST_CASE("llama2.c: the writer refuses tensors of another size", "[io][llama2c]") {
  CHECK_THROWS_MATCHES(write_llama2c(kHeader, [](const std::string&) { return std::vector<float>(3); }),
                       lookback::ShapeError, MessageMatches(ContainsSubstring("token_embd.weight")));
}
