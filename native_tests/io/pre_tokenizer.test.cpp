// SPDX-License-Identifier: MIT
#include "lookback/io/pre_tokenizer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/files.hpp"
#include "support/json.hpp"

using namespace lookback::io;
using lookback::test::Json;
using Parts = std::vector<std::string_view>;

namespace {

std::vector<std::size_t> lengths(const PreTokenizer& pre_tokenizer, std::string_view text) {
  std::vector<std::size_t> result;
  for (const auto part : pre_tokenizer.split(text)) result.push_back(part.size());
  return result;
}

}  // namespace

TEST_CASE("pre-tokenizer: a sentence as each model cuts it", "[io][tokenizer]") {
  const std::string_view text = "It's 2024,  DON'T\n";
  CHECK(PreTokenizer(TextSplit::gpt2).split(text) == Parts{"It", "'s", " 2024", ",", " ", " DON", "'", "T", "\n"});
  CHECK(PreTokenizer(TextSplit::llama3).split(text) ==
        Parts{"It", "'s", " ", "202", "4", ",", " ", " DON", "'T", "\n"});
  CHECK(PreTokenizer(TextSplit::smollm).split(text) ==
        Parts{"It", "'s", " ", "2", "0", "2", "4", ",", " ", " DON", "'", "T", "\n"});
}

TEST_CASE("pre-tokenizer: awkward texts are cut where Python's regex cuts them", "[io][tokenizer]") {
  const Json golden = Json::read(lookback::test::fixture_path("pre_tokenizer.json"));
  const PreTokenizer gpt2(TextSplit::gpt2);
  const PreTokenizer llama3(TextSplit::llama3);
  const PreTokenizer smollm(TextSplit::smollm);
  REQUIRE(golden["texts"].size() > 200);
  for (const Json& entry : golden["texts"].items()) {
    const std::string& text = entry["text"].text();
    INFO(text);
    CHECK(lengths(gpt2, text) == entry["gpt2"].numbers<std::size_t>());
    CHECK(lengths(llama3, text) == entry["llama3"].numbers<std::size_t>());
    CHECK(lengths(smollm, text) == entry["smollm"].numbers<std::size_t>());
  }
}

TEST_CASE("pre-tokenizer: bytes that are no text are cut too, none is lost", "[io][tokenizer]") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i * 7);
  std::string together;
  for (const auto part : PreTokenizer(TextSplit::llama3).split(bytes)) together += part;
  CHECK(together == bytes);
}
