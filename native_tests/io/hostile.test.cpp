// SPDX-License-Identifier: MIT
// Files that are cut short or damaged: typed errors only. Run under the address sanitizer, this also proves the bounds.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/core/error.hpp"
#include "lookback/core/random.hpp"
#include "lookback/io/model_file.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "support/files.hpp"

using lookback::Random;
using lookback::io::ModelFile;
using lookback::test::fixture;

namespace {

constexpr int kMutations = 3000;

/// True when the bytes were read, false for a typed error; anything else escapes and fails the test.
bool is_readable(std::vector<std::byte> bytes) {
  try {
    const ModelFile file(std::move(bytes));
    if (const auto tokenizer = lookback::io::read_tokenizer(file)) tokenizer->decode(tokenizer->encode("the cat"));
    for (const auto& entry : file.metadata()) lookback::io::to_string(entry.value);
    return true;
  } catch (const lookback::Error&) {
    return false;
  }
}

bool is_readable_tokenizer(const std::vector<std::byte>& bytes) {
  try {
    const auto tokenizer = lookback::io::read_tokenizer_file(bytes);
    tokenizer->decode(tokenizer->encode("the cat"));
    return true;
  } catch (const lookback::Error&) {
    return false;
  }
}

/// Changes one to four bytes; half of the time among the first 256, where the counts are.
std::vector<std::byte> mutated(std::vector<std::byte> bytes, Random& random) {
  const std::uint32_t num_changes = 1 + random.next_u32() % 4;
  const std::uint32_t range = random.next_u32() % 2 == 0 ? 256 : static_cast<std::uint32_t>(bytes.size());
  for (std::uint32_t i = 0; i < num_changes; ++i) {
    constexpr std::uint8_t extremes[] = {0x00, 0x7F, 0x80, 0xFF};
    const std::uint32_t choice = random.next_u32();
    const auto value = choice % 2 == 0 ? extremes[(choice >> 8) % 4] : static_cast<std::uint8_t>(choice >> 16);
    bytes[random.next_u32() % range] = std::byte{value};
  }
  return bytes;
}

}  // namespace

TEST_CASE("hostile files: no beginning of a model file is taken for a whole one", "[io][hostile]") {
  const char* name = GENERATE("fixture-f32.gguf", "fixture-f16.gguf", "fixture.bin");
  const auto bytes = fixture(name);
  std::size_t num_accepted = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    num_accepted += is_readable({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}) ? 1 : 0;
  }
  CHECK(num_accepted == 0);
  CHECK(is_readable(bytes));
}

TEST_CASE("hostile files: a tokenizer file cut anywhere gives a typed error or fewer tokens", "[io][hostile]") {
  const auto bytes = fixture("tokenizer.bin");
  std::size_t num_accepted = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    num_accepted += is_readable_tokenizer({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}) ? 1 : 0;
  }
  // The file has no count: cut between two tokens, from the third on, it is a smaller vocabulary.
  CHECK(num_accepted == 287 - 3);
  CHECK(is_readable_tokenizer(bytes));
}

TEST_CASE("hostile files: random damage gives a typed error or a file", "[io][hostile]") {
  const char* name = GENERATE("fixture-f32.gguf", "fixture-f16.gguf", "fixture.bin");
  const auto bytes = fixture(name);
  Random random(91);
  int num_refused = 0;
  for (int i = 0; i < kMutations; ++i) num_refused += is_readable(mutated(bytes, random)) ? 0 : 1;
  CHECK(num_refused > 0);
  CHECK(num_refused < kMutations);
}

TEST_CASE("hostile files: random damage to a tokenizer file gives a typed error or a tokenizer", "[io][hostile]") {
  const auto bytes = fixture("tokenizer.bin");
  Random random(92);
  int num_refused = 0;
  for (int i = 0; i < kMutations; ++i) num_refused += is_readable_tokenizer(mutated(bytes, random)) ? 0 : 1;
  CHECK(num_refused > 0);
  CHECK(num_refused < kMutations);
}
