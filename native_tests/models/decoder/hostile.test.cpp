// SPDX-License-Identifier: MIT
// Damaged files as far as a running decoder: typed errors or numbers, and no memory touched that is not the file's.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/core/error.hpp"
#include "lookback/models/decoder/session.hpp"
#include "models/decoder/files.hpp"

using lookback::Random;
using lookback::io::ModelFile;
using lookback::io::TokenId;
using lookback::models::DecoderModel;
using lookback::models::DecoderSession;

namespace {

constexpr int kMutations = 3000;
constexpr std::int64_t kCapacity = 4;

bool runs(std::vector<std::byte> bytes) {
  try {
    const auto model = std::make_shared<const DecoderModel>(ModelFile(std::move(bytes)));
    DecoderSession session(model, std::min(model->config().context, kCapacity));
    session.run(std::vector<TokenId>{0}, {.all_logits = true, .attention = true});
    return true;
  } catch (const lookback::Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("hostile models: random damage gives a typed error or a decoder", "[models][decoder][hostile]") {
  const char* name = GENERATE("fixture-f32.gguf", "fixture-f16.gguf", "fixture.bin");
  const auto bytes = lookback::test::fixture(name);
  // Names, counts and directory of the GGUF files lie in the first 8 KB, the checkpoint's in its first 28 bytes.
  const std::uint32_t range = std::string(name) == "fixture.bin" ? 28 : 8192;
  Random random(93);
  int num_refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    auto damaged = bytes;
    const std::uint32_t num_changes = 1 + random.next_u32() % 3;
    for (std::uint32_t change = 0; change < num_changes; ++change) {
      const std::uint32_t at = random.next_u32() % range;
      damaged[at] = std::byte{static_cast<std::uint8_t>(random.next_u32() >> 24)};
    }
    num_refused += runs(std::move(damaged)) ? 0 : 1;
  }
  CHECK(num_refused > 0);
  CHECK(num_refused <= kMutations);
  CHECK(runs(bytes));
}

TEST_CASE("hostile models: every byte of the metadata at its extremes", "[models][decoder][hostile]") {
  const auto bytes = lookback::test::fixture("fixture-f16.gguf");
  const std::uint8_t value = GENERATE(std::uint8_t{0x00}, std::uint8_t{0x7F}, std::uint8_t{0x80}, std::uint8_t{0xFF});
  // Up to the tokenizer's lists, which no decoder reads.
  constexpr std::size_t metadata_end = 700;
  int num_refused = 0;
  for (std::size_t at = 0; at < metadata_end; ++at) {
    auto damaged = bytes;
    damaged[at] = std::byte{value};
    num_refused += runs(std::move(damaged)) ? 0 : 1;
  }
  CHECK(num_refused > 0);
}
