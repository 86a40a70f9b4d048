// SPDX-License-Identifier: MIT
// Decoders for tests: the fixture's, and ones made up on the spot.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/core/random.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/models/decoder/model.hpp"
#include "support/files.hpp"

namespace lookback::test {

inline std::shared_ptr<const models::DecoderModel> fixture_model(const std::string& name = "fixture-f32.gguf") {
  return std::make_shared<const models::DecoderModel>(io::ModelFile(fixture(name)));
}

/// A GGUF file of random weights, piece by piece, so that a test can leave out or bend any of them.
struct TinyFile {
  std::int64_t layers = 1, heads = 2, kv_heads = 1, head_dim = 4, width = 6, feed_forward = 5, vocabulary = 7,
               context = 8;
  bool has_output = false;  ///< a separate output matrix, twice the embedding
  float epsilon = 1e-5f;
  float rotary_base = 10000.0f;
  std::uint64_t seed = 5;
  /// Called with each key before it is written; false leaves it out.
  std::function<bool(const std::string& key)> keeps_key = [](const std::string&) { return true; };
  /// May change a tensor's shape.
  std::function<Shape(const std::string& name, Shape shape)> bend = [](const std::string&, Shape shape) {
    return shape;
  };
  std::function<bool(const std::string& name)> keeps_tensor = [](const std::string&) { return true; };
  /// Adds keys and tensors of the test's own.
  std::function<void(io::GgufWriter& writer)> extra = [](io::GgufWriter&) {};

  std::vector<std::byte> bytes() const {
    io::GgufWriter writer;
    const auto count = [&](const std::string& key, std::int64_t value) {
      if (keeps_key(key)) writer.set_u32("llama." + key, static_cast<std::uint32_t>(value));
    };
    if (keeps_key("general.architecture")) writer.set_string("general.architecture", "llama");
    count("block_count", layers);
    count("attention.head_count", heads);
    count("attention.head_count_kv", kv_heads);
    count("attention.key_length", head_dim);
    count("embedding_length", width);
    count("feed_forward_length", feed_forward);
    count("context_length", context);
    if (keeps_key("epsilon")) writer.set_f32("llama.attention.layer_norm_rms_epsilon", epsilon);
    if (keeps_key("rotary_base")) writer.set_f32("llama.rope.freq_base", rotary_base);
    add_tensors(writer);
    extra(writer);
    return writer.finish();
  }

  std::shared_ptr<const models::DecoderModel> model() const {
    return std::make_shared<const models::DecoderModel>(io::ModelFile(bytes()));
  }

 private:
  void add_tensors(io::GgufWriter& writer) const {
    Random random(seed);
    const auto draw = [&](const Shape& shape) {
      std::vector<float> values(static_cast<std::size_t>(shape.num_elements()));
      for (auto& value : values) value = 2.0f * random.uniform() - 1.0f;
      return values;
    };
    const auto add = [&](const std::string& name, const Shape& wanted) {
      const Shape shape = bend(name, wanted);
      const std::vector<float> values = draw(shape);
      if (keeps_tensor(name)) writer.add_tensor(name, shape, values, kernels::WeightType::f32);
      return values;
    };
    std::vector<float> embedding = add("token_embd.weight", {vocabulary, width});
    add_layers(add);
    add("output_norm.weight", {width});
    for (auto& value : embedding) value *= 2.0f;
    if (has_output) writer.add_tensor("output.weight", {vocabulary, width}, embedding, kernels::WeightType::f32);
  }

  template <typename Add>
  void add_layers(Add add) const {
    const std::int64_t query_width = heads * head_dim;
    const std::int64_t kv_width = kv_heads * head_dim;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      const std::string prefix = message("blk.", layer, ".");
      add(prefix + "attn_norm.weight", {width});
      add(prefix + "attn_q.weight", {query_width, width});
      add(prefix + "attn_k.weight", {kv_width, width});
      add(prefix + "attn_v.weight", {kv_width, width});
      add(prefix + "attn_output.weight", {width, query_width});
      add(prefix + "ffn_norm.weight", {width});
      add(prefix + "ffn_gate.weight", {feed_forward, width});
      add(prefix + "ffn_down.weight", {width, feed_forward});
      add(prefix + "ffn_up.weight", {feed_forward, width});
    }
  }
};

}  // namespace lookback::test
