// SPDX-License-Identifier: MIT
// Makes the small models that the tests read: random weights, grouped heads, a vocabulary of bytes and a few pieces.
// usage: make_fixtures FOLDER
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lookback/core/check.hpp"
#include "lookback/core/random.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/io/llama2c.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/tools/files.hpp"

namespace {

namespace io = lookback::io;
using lookback::Shape;
using lookback::kernels::WeightType;

constexpr std::uint64_t kSeed = 20261130;

io::Vocabulary make_vocabulary() {
  io::Vocabulary v;
  v.start = 1;
  v.end = 2;
  v.unknown = 0;
  const auto add = [&](std::string piece, float score, io::TokenKind kind) {
    v.pieces.push_back(std::move(piece));
    v.scores.push_back(score);
    v.kinds.push_back(kind);
  };
  add("<unk>", 0.0f, io::TokenKind::unknown);
  add("<s>", 0.0f, io::TokenKind::control);
  add("</s>", 0.0f, io::TokenKind::control);
  constexpr const char* digits = "0123456789ABCDEF";
  for (int byte = 0; byte < 256; ++byte)
    add(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">", 0.0f, io::TokenKind::byte);
  // Merged pieces, the more frequent first, then single characters; the score counts down, as SentencePiece's does.
  float score = 0.0f;
  for (const char* piece :
       {" t", "he", " a", "at", " the", " c", " cat", "in", " s", "on", "th", "aa", "aaaa",     " ",
        "a",  "b",  "c",  "e",  "h",    "i",  "n",    "o",  "s",  "t",  ".",  ",",  "\xC3\xA9", "\xE4\xBD\xA0"}) {
    add(piece, score, io::TokenKind::normal);
    score -= 1.0f;
  }
  return v;
}

constexpr io::Llama2cHeader kHeader = {.width = 16,
                                       .feed_forward = 24,
                                       .layers = 2,
                                       .heads = 4,
                                       .kv_heads = 2,
                                       .vocabulary = 287,
                                       .context = 32,
                                       .separate_output = false};

/// Shapes by name, in the order in which the weights are drawn.
std::vector<std::pair<std::string, Shape>> tensor_shapes() {
  const std::int64_t width = kHeader.width;
  const std::int64_t feed_forward = kHeader.feed_forward;
  const std::int64_t kv_width = width / kHeader.heads * kHeader.kv_heads;
  std::vector<std::pair<std::string, Shape>> shapes = {{"token_embd.weight", Shape{kHeader.vocabulary, width}}};
  for (int layer = 0; layer < kHeader.layers; ++layer) {
    const auto add = [&](const char* name, Shape shape) {
      shapes.push_back({lookback::message("blk.", layer, ".", name, ".weight"), std::move(shape)});
    };
    add("attn_norm", {width});
    add("attn_q", {width, width});
    add("attn_k", {kv_width, width});
    add("attn_v", {kv_width, width});
    add("attn_output", {width, width});
    add("ffn_norm", {width});
    add("ffn_gate", {feed_forward, width});
    add("ffn_down", {width, feed_forward});
    add("ffn_up", {feed_forward, width});
  }
  shapes.push_back({"output_norm.weight", Shape{width}});
  return shapes;
}

/// Uniform numbers only: they are the same bits on every platform, which those made by cosines need not be.
std::vector<float> draw(lookback::Random& random, const Shape& shape) {
  const bool is_norm = shape.rank() == 1;
  std::vector<float> values(static_cast<std::size_t>(shape.num_elements()));
  for (auto& value : values) value = is_norm ? 0.5f + random.uniform() : 1.5f * (random.uniform() - 0.5f);
  return values;
}

void set_metadata(io::GgufWriter& writer, const io::Vocabulary& v) {
  const auto u32 = [&](const char* key, std::int32_t value) { writer.set_u32(key, static_cast<std::uint32_t>(value)); };
  writer.set_string("general.architecture", "llama");
  writer.set_string("general.name", "fixture");
  u32("llama.context_length", kHeader.context);
  u32("llama.embedding_length", kHeader.width);
  u32("llama.block_count", kHeader.layers);
  u32("llama.feed_forward_length", kHeader.feed_forward);
  u32("llama.attention.head_count", kHeader.heads);
  u32("llama.attention.head_count_kv", kHeader.kv_heads);
  writer.set_f32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
  writer.set_f32("llama.rope.freq_base", 10000.0f);
  writer.set_string("tokenizer.ggml.model", "llama");
  std::vector<std::string> pieces;
  for (const auto& piece : v.pieces) {
    const bool has_space = piece.starts_with(' ');
    pieces.push_back(has_space ? "\xE2\x96\x81" + piece.substr(1) : piece);
  }
  writer.set_strings("tokenizer.ggml.tokens", pieces);
  writer.set_floats("tokenizer.ggml.scores", v.scores);
  std::vector<std::int32_t> kinds;
  for (const auto kind : v.kinds) kinds.push_back(static_cast<std::int32_t>(kind));
  writer.set_integers("tokenizer.ggml.token_type", kinds);
  u32("tokenizer.ggml.bos_token_id", v.start);
  u32("tokenizer.ggml.eos_token_id", v.end);
  u32("tokenizer.ggml.unknown_token_id", v.unknown);
}

void make_all(const std::filesystem::path& folder) {
  const io::Vocabulary vocabulary = make_vocabulary();
  lookback::Random random(kSeed);
  std::map<std::string, std::vector<float>> weights;
  io::GgufWriter f32;
  io::GgufWriter f16;
  set_metadata(f32, vocabulary);
  set_metadata(f16, vocabulary);
  for (const auto& [name, shape] : tensor_shapes()) {
    const auto& values = weights[name] = draw(random, shape);
    f32.add_tensor(name, shape, values, WeightType::f32);
    f16.add_tensor(name, shape, values, shape.rank() == 1 ? WeightType::f32 : WeightType::f16);
  }
  namespace tools = lookback::tools;
  tools::write_file(folder / "fixture-f32.gguf", f32.finish());
  tools::write_file(folder / "fixture-f16.gguf", f16.finish());
  tools::write_file(folder / "fixture.bin",
                    io::write_llama2c(kHeader, [&](const std::string& name) { return weights.at(name); }));
  tools::write_file(folder / "tokenizer.bin", io::write_llama2c_tokenizer(vocabulary));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_fixtures FOLDER\n";
    return 2;
  }
  try {
    make_all(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "make_fixtures: " << error.what() << "\n";
    return 1;
  }
}
