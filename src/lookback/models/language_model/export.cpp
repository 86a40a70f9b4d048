// SPDX-License-Identifier: MIT
// Metadata, then every parameter under its own name.
#include "lookback/models/language_model/export.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/kernels/quantised.hpp"
#include "lookback/tensor/layout.hpp"

namespace lookback::models::language_model {

namespace {

constexpr std::string_view kEmbedding = "token_embd.weight";

void set_config(io::GgufWriter& writer, const Config& c) {
  const auto u32 = [&](const char* key, std::int64_t value) { writer.set_u32(key, static_cast<std::uint32_t>(value)); };
  u32("llama.vocab_size", c.vocabulary);
  u32("llama.context_length", c.context);
  u32("llama.embedding_length", c.width);
  u32("llama.block_count", c.layers);
  u32("llama.feed_forward_length", c.feed_forward);
  u32("llama.rope.dimension_count", c.head_dim());
  u32("llama.attention.head_count", c.heads);
  u32("llama.attention.head_count_kv", c.kv_heads);
  writer.set_f32("llama.attention.layer_norm_rms_epsilon", c.norm_epsilon);
  writer.set_f32("llama.rope.freq_base", static_cast<float>(c.rotary_base));
}

/// The type asked for, or f32 for vectors and for rows that are not whole blocks.
kernels::WeightType type_of(const Shape& shape, kernels::WeightType asked) {
  const bool fits = shape.rank() > 1 && shape[-1] % kernels::block_length(asked) == 0;
  return fits ? asked : kernels::WeightType::f32;
}

}  // namespace

std::vector<std::byte> to_gguf(Model model, const io::Vocabulary* vocabulary, const ExportOptions& options) {
  const Config& config = model.config();
  if (vocabulary && vocabulary->size() != config.vocabulary) {
    throw ShapeError(
        message("language_model: a vocabulary of ", vocabulary->size(), " tokens for a model of ", config.vocabulary));
  }
  io::GgufWriter writer;
  writer.set_string("general.architecture", "llama");
  writer.set_string("general.name", options.name);
  for (const auto& [key, text] : options.facts) writer.set_string(key, text);
  set_config(writer, config);
  if (vocabulary) io::set_tokenizer(writer, *vocabulary);
  for (const nn::Parameter& parameter : model.parameters()) {
    const bool is_layer = parameter.tensor->rank() == 2 && parameter.name != kEmbedding;
    const Tensor stored = is_layer ? transpose(*parameter.tensor, 0, 1) : *parameter.tensor;
    writer.add_tensor(parameter.name, stored.shape(), stored.values(), type_of(stored.shape(), options.type));
  }
  return writer.finish();
}

}  // namespace lookback::models::language_model
