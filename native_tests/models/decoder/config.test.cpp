// SPDX-License-Identifier: MIT
#include "lookback/models/decoder/config.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "models/decoder/files.hpp"
#include "support/errors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::Shape;
using lookback::io::GgufWriter;
using lookback::io::ModelFile;
using lookback::models::DecoderConfig;
using lookback::models::read_decoder_config;
using lookback::test::TinyFile;

namespace {
DecoderConfig read(const TinyFile& file) { return read_decoder_config(ModelFile(file.bytes())); }
std::string error_of(const TinyFile& file) {
  return lookback::test::error_of([&] { return read(file); });
}
}  // namespace

TEST_CASE("decoder config: the fixture gives the same numbers in both formats", "[models][decoder]") {
  DecoderConfig gguf = read_decoder_config(ModelFile(lookback::test::fixture("fixture-f32.gguf")));
  const DecoderConfig checkpoint = read_decoder_config(ModelFile(lookback::test::fixture("fixture.bin")));
  CHECK(gguf.name == "fixture");
  gguf.name.clear();
  CHECK(gguf == checkpoint);
  CHECK(gguf.layers == 2);
  CHECK(gguf.heads == 4);
  CHECK(gguf.kv_heads == 2);
  CHECK(gguf.head_dim == 4);
  CHECK(gguf.rotary_width == 4);
  CHECK(gguf.vocabulary == 287);
  CHECK(gguf.context == 32);
  CHECK(gguf.norm_epsilon == 1e-5f);
  CHECK(gguf.is_output_tied);
}

TEST_CASE("decoder config: heads may be wider than width / heads", "[models][decoder]") {
  const DecoderConfig config = read(TinyFile{});
  CHECK(config.width == 6);
  CHECK(config.heads * config.head_dim == 8);
}

TEST_CASE("decoder config: optional numbers have their defaults", "[models][decoder]") {
  TinyFile file;
  file.head_dim = 3;
  file.width = 6;
  file.keeps_key = [](const std::string& key) { return key != "attention.key_length"; };
  CHECK_THAT(error_of(file), ContainsSubstring("rotary width 3 should be even"));
  file.head_dim = 4;
  file.width = 8;
  file.kv_heads = 2;
  file.keeps_key = [](const std::string& key) {
    return key != "attention.key_length" && key != "rotary_base" && key != "attention.head_count_kv";
  };
  const DecoderConfig config = read(file);
  CHECK(config.head_dim == 4);
  CHECK(config.kv_heads == 2);
  CHECK(config.rotary_base == 10000.0);
}

TEST_CASE("decoder config: rope base, epsilon and separate output come from the file", "[models][decoder]") {
  TinyFile file;
  file.rotary_base = 500000.0f;
  file.epsilon = 1e-6f;
  file.has_output = true;
  const DecoderConfig config = read(file);
  CHECK(config.rotary_base == 500000.0);
  CHECK(config.norm_epsilon == 1e-6f);
  CHECK_FALSE(config.is_output_tied);
}

TEST_CASE("decoder config: a missing key or tensor is named", "[models][decoder]") {
  for (const char* key :
       {"block_count", "attention.head_count", "embedding_length", "feed_forward_length", "context_length"}) {
    TinyFile file;
    file.keeps_key = [&](const std::string& other) { return other != key; };
    CHECK_THAT(error_of(file), ContainsSubstring("format: ") && ContainsSubstring(key));
  }
  TinyFile no_epsilon;
  no_epsilon.keeps_key = [](const std::string& key) { return key != "epsilon"; };
  CHECK_THAT(error_of(no_epsilon), ContainsSubstring("layer_norm_rms_epsilon is missing"));
  for (const char* name : {"token_embd.weight", "blk.0.attn_k.weight", "blk.0.ffn_down.weight", "output_norm.weight"}) {
    TinyFile file;
    file.keeps_tensor = [&](const std::string& other) { return other != name; };
    CHECK_THAT(error_of(file), ContainsSubstring(std::string(name)) && ContainsSubstring("missing"));
  }
}

TEST_CASE("decoder config: a wrongly shaped tensor is named with both shapes", "[models][decoder]") {
  TinyFile file;
  file.bend = [](const std::string& name, Shape shape) { return name == "blk.0.attn_q.weight" ? Shape{6, 8} : shape; };
  CHECK_THAT(error_of(file), ContainsSubstring("blk.0.attn_q.weight should have shape [8, 6], it has [6, 8]"));
  file.bend = [](const std::string& name, Shape shape) { return name == "token_embd.weight" ? Shape{7, 5} : shape; };
  CHECK_THAT(error_of(file), ContainsSubstring("token_embd.weight should have shape [vocabulary, 6], it has [7, 5]"));
}

TEST_CASE("decoder config: head counts that do not divide are named", "[models][decoder]") {
  TinyFile file;
  file.heads = 4;
  file.kv_heads = 3;
  CHECK_THAT(error_of(file), ContainsSubstring("3 key/value heads do not divide 4"));
  TinyFile uneven;
  uneven.width = 10;
  uneven.heads = 3;
  uneven.kv_heads = 3;
  uneven.keeps_key = [](const std::string& key) { return key != "attention.key_length"; };
  CHECK_THAT(error_of(uneven), ContainsSubstring("3 heads do not divide the width 10"));
}

TEST_CASE("decoder config: absurd numbers are refused", "[models][decoder]") {
  for (const std::int64_t absurd : {std::int64_t{0}, std::int64_t{4294967295}}) {
    TinyFile file;
    file.context = absurd;
    CHECK_THAT(error_of(file), ContainsSubstring("context_length should be 1 to"));
  }
  TinyFile experts;
  experts.extra = [](GgufWriter& writer) { writer.set_u32("llama.expert_count", 8); };
  CHECK_THAT(error_of(experts), ContainsSubstring("unsupported: ") && ContainsSubstring("8 experts"));
  TinyFile base;
  base.rotary_base = 0.0f;
  CHECK_THAT(error_of(base), ContainsSubstring("rotary base"));
  TinyFile epsilon;
  epsilon.epsilon = -1.0f;
  CHECK_THAT(error_of(epsilon), ContainsSubstring("epsilon"));
  TinyFile vocabulary;
  vocabulary.extra = [](GgufWriter& writer) { writer.set_u32("llama.vocab_size", 8); };
  CHECK_THAT(error_of(vocabulary), ContainsSubstring("vocab_size is 8, token_embd.weight has 7 rows"));
}

TEST_CASE("decoder config: what no op here computes is refused, not left out", "[models][decoder]") {
  TinyFile scaled;
  scaled.extra = [](GgufWriter& writer) { writer.set_string("llama.rope.scaling.type", "yarn"); };
  CHECK_THAT(error_of(scaled), ContainsSubstring("unsupported: ") && ContainsSubstring("yarn"));
  TinyFile biased;
  biased.extra = [](GgufWriter& writer) {
    writer.add_tensor("blk.0.attn_q.bias", Shape{8}, std::vector<float>(8), lookback::kernels::WeightType::f32);
  };
  CHECK_THAT(error_of(biased), ContainsSubstring("unsupported: ") && ContainsSubstring("blk.0.attn_q.bias"));
  TinyFile values;
  values.extra = [](GgufWriter& writer) { writer.set_u32("llama.attention.value_length", 6); };
  CHECK_THAT(error_of(values), ContainsSubstring("values of 6"));
  TinyFile unnamed;
  unnamed.keeps_key = [](const std::string& key) { return key != "general.architecture"; };
  CHECK_THAT(error_of(unnamed), ContainsSubstring("general.architecture is missing"));
}
