// SPDX-License-Identifier: MIT
#include "lookback/models/language_model/export.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "lookback/io/tokenizer_files.hpp"
#include "lookback/models/decoder/model.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::close_to;
using lookback::test::error_of;
using lookback::test::fixture;
using namespace lookback;
using namespace lookback::models::language_model;

namespace {

Model model_of(std::int64_t vocabulary) {
  Random random(1);
  return Model({.vocabulary = vocabulary,
                .context = 16,
                .width = 32,
                .layers = 1,
                .heads = 2,
                .kv_heads = 1,
                .feed_forward = 40},
               random);
}

}  // namespace

TEST_CASE("export: matrices whose rows are whole blocks become Q8_0, the rest stays F32", "[models][gguf]") {
  const io::ModelFile file(
      to_gguf(model_of(5), nullptr,
              {.name = "a name", .type = kernels::WeightType::q8_0, .facts = {{"general.license", "MIT"}}}));
  const auto type_of = [&](const char* name) { return file.find_tensor(name)->weight.type; };
  CHECK(type_of("token_embd.weight") == kernels::WeightType::q8_0);
  CHECK(type_of("blk.0.attn_k.weight") == kernels::WeightType::q8_0);
  CHECK(type_of("blk.0.ffn_up.weight") == kernels::WeightType::q8_0);
  CHECK(type_of("blk.0.ffn_down.weight") == kernels::WeightType::f32);  // 40 is no multiple of 32
  CHECK(type_of("output_norm.weight") == kernels::WeightType::f32);
  CHECK(file.text("general.name") == "a name");
  CHECK(file.text("general.license") == "MIT");
  CHECK_NOTHROW(models::read_decoder_config(file));
}

TEST_CASE("export: the file's tokenizer is the one given", "[models][gguf]") {
  const io::ModelFile original(fixture("fixture-f32.gguf"));
  const auto tokenizer = io::read_tokenizer(original);
  const auto file = to_gguf(model_of(tokenizer->size()), &tokenizer->vocabulary());
  const auto read = io::read_tokenizer(io::ModelFile(file));
  for (const char* text : {"the cat", " a  the\n",
                           "b\xC3\xA9"
                           "c",
                           "\xE2\x96\x81x"}) {
    CHECK(read->encode(text) == tokenizer->encode(text));
  }
  CHECK(read->vocabulary().pieces == tokenizer->vocabulary().pieces);
  CHECK_THAT(error_of([&] { return to_gguf(model_of(9), &tokenizer->vocabulary()); }),
             ContainsSubstring("shape: language_model: a vocabulary of 287 tokens for a model of 9"));
}
