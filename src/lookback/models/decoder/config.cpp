// SPDX-License-Identifier: MIT
// Reading a decoder's numbers from a file's metadata and holding its tensors against them.
#include "lookback/models/decoder/config.hpp"

#include <cmath>
#include <set>
#include <string_view>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/decoder/plan.hpp"

namespace lookback::models {

namespace {

constexpr std::int64_t kMaxLayers = 1 << 12;
constexpr std::int64_t kMaxWidth = 1 << 20;
constexpr std::int64_t kMaxContext = 1 << 24;

/// The file's keys of one architecture: counts are checked as they are read.
struct Reader {
  const io::ModelFile& file;
  std::string prefix;

  std::string key(const char* name) const { return prefix + name; }

  std::int64_t count(const char* name, std::int64_t limit, std::optional<std::int64_t> absent = std::nullopt) const {
    const auto value = file.integer(key(name));
    if (!value && !absent) throw FormatError(message("decoder: metadata ", key(name), " is missing"));
    const std::int64_t number = value.value_or(absent.value_or(0));
    if (number < 1 || number > limit) {
      throw FormatError(message("decoder: metadata ", key(name), " should be 1 to ", limit, ", it is ", number));
    }
    return number;
  }

  double number(const char* name, std::optional<double> absent = std::nullopt) const {
    const auto value = file.number(key(name));
    if (!value && !absent) throw FormatError(message("decoder: metadata ", key(name), " is missing"));
    return value.value_or(absent.value_or(0.0));
  }
};

std::string read_architecture(const io::ModelFile& file) {
  const auto architecture = file.text("general.architecture");
  if (!architecture) throw FormatError("decoder: metadata general.architecture is missing");
  if (*architecture != "llama")
    throw UnsupportedError(message("decoder: architecture ", *architecture, " is not supported, llama is"));
  return std::string(*architecture);
}

/// Features of a Llama-like file that would change the numbers and that no op here computes.
void check_no_extras(const Reader& reader) {
  const auto scaling = reader.file.text(reader.key("rope.scaling.type"));
  if (scaling && *scaling != "none")
    throw UnsupportedError(message("decoder: rotary scaling ", *scaling, " is not supported"));
  const std::int64_t experts = reader.file.integer(reader.key("expert_count")).value_or(0);
  if (experts != 0) throw UnsupportedError(message("decoder: a mixture of ", experts, " experts is not supported"));
}

void check_heads(const DecoderConfig& c) {
  if (c.heads % c.kv_heads != 0) {
    throw FormatError(message("decoder: ", c.kv_heads, " key/value heads do not divide ", c.heads, " heads"));
  }
  if (c.heads * c.head_dim > kMaxWidth) {
    throw FormatError(message("decoder: ", c.heads, " heads of ", c.head_dim, " are wider than ", kMaxWidth));
  }
  if (c.rotary_width % 2 != 0 || c.rotary_width > c.head_dim) {
    throw FormatError(
        message("decoder: rotary width ", c.rotary_width, " should be even and at most the head's ", c.head_dim));
  }
}

void check_numbers(const DecoderConfig& c) {
  if (!(c.rotary_base > 0.0) || !std::isfinite(c.rotary_base)) {
    throw FormatError(message("decoder: the rotary base should be above 0, it is ", c.rotary_base));
  }
  if (!(c.norm_epsilon >= 0.0f) || !std::isfinite(c.norm_epsilon)) {
    throw FormatError(message("decoder: the norm's epsilon should be 0 or more, it is ", c.norm_epsilon));
  }
}

std::int64_t read_head_dim(const Reader& reader, const DecoderConfig& c) {
  const bool is_explicit = reader.file.find_metadata(reader.key("attention.key_length")) != nullptr;
  if (!is_explicit && c.width % c.heads != 0) {
    throw FormatError(message("decoder: ", c.heads, " heads do not divide the width ", c.width,
                              ", and the file gives no key_length"));
  }
  const std::int64_t head_dim = is_explicit ? reader.count("attention.key_length", kMaxWidth) : c.width / c.heads;
  const std::int64_t value_dim = reader.count("attention.value_length", kMaxWidth, head_dim);
  if (value_dim != head_dim) {
    throw UnsupportedError(
        message("decoder: keys of ", head_dim, " and values of ", value_dim, " features are not supported"));
  }
  return head_dim;
}

/// The embedding decides; the key, where there is one, has to agree with it.
std::int64_t read_vocabulary(const Reader& reader, const DecoderConfig& c) {
  const io::TensorEntry* embedding = reader.file.find_tensor("token_embd.weight");
  if (!embedding) throw FormatError("decoder: tensor token_embd.weight is missing");
  if (embedding->shape.rank() != 2 || embedding->shape[1] != c.width || embedding->shape[0] < 1 ||
      embedding->shape[0] > kMaxWidth) {
    throw FormatError(message("decoder: tensor token_embd.weight should have shape [vocabulary, ", c.width,
                              "], it has ", embedding->shape));
  }
  const std::int64_t vocabulary = embedding->shape[0];
  const std::int64_t claimed = reader.count("vocab_size", kMaxWidth, vocabulary);
  if (claimed != vocabulary) {
    throw FormatError(message("decoder: vocab_size is ", claimed, ", token_embd.weight has ", vocabulary, " rows"));
  }
  return vocabulary;
}

Shape shape_of_weight(const Plan& plan, const PlanOp& op) {
  const DecoderConfig& c = plan.config;
  if (op.kind == OpKind::rms_norm) return Shape{c.width};
  if (op.kind == OpKind::embedding) return Shape{c.vocabulary, c.width};
  const auto cols = [&](int tensor) { return plan.tensors[static_cast<std::size_t>(tensor)].cols; };
  return Shape{cols(op.output), cols(op.inputs[0])};
}

/// Every weight of the plan is there in its shape, and the file has none that the plan would leave out.
void check_tensors(const DecoderConfig& config, const io::ModelFile& file) {
  const Plan plan = make_plan(config);
  std::set<std::string_view> used;
  for (const auto& op : plan.ops) {
    if (op.weight.empty()) continue;
    file.tensor(op.weight, shape_of_weight(plan, op));
    used.insert(op.weight);
  }
  for (const auto& tensor : file.tensors()) {
    if (!used.contains(tensor.name)) {
      throw UnsupportedError(
          message("decoder: tensor ", tensor.name, " has no place in a llama decoder as this build runs it"));
    }
  }
}

/// A lying layer count must not make a long plan: each layer has nine tensors.
void check_layer_count(const DecoderConfig& c, const io::ModelFile& file) {
  if (c.layers > static_cast<std::int64_t>(file.tensors().size())) {
    throw FormatError(
        message("decoder: block_count is ", c.layers, ", the file has only ", file.tensors().size(), " tensors"));
  }
}

}  // namespace

DecoderConfig read_decoder_config(const io::ModelFile& file) {
  DecoderConfig c;
  c.architecture = read_architecture(file);
  const Reader reader{file, c.architecture + "."};
  check_no_extras(reader);
  c.name = std::string(file.text("general.name").value_or(""));
  c.layers = reader.count("block_count", kMaxLayers);
  c.heads = reader.count("attention.head_count", kMaxWidth);
  c.kv_heads = reader.count("attention.head_count_kv", kMaxWidth, c.heads);
  c.width = reader.count("embedding_length", kMaxWidth);
  c.feed_forward = reader.count("feed_forward_length", kMaxWidth);
  c.context = reader.count("context_length", kMaxContext);
  c.head_dim = read_head_dim(reader, c);
  c.rotary_width = reader.count("rope.dimension_count", kMaxWidth, c.head_dim);
  c.rotary_base = reader.number("rope.freq_base", 10000.0);
  c.norm_epsilon = static_cast<float>(reader.number("attention.layer_norm_rms_epsilon"));
  c.vocabulary = read_vocabulary(reader, c);
  c.is_output_tied = file.find_tensor("output.weight") == nullptr;
  check_heads(c);
  check_numbers(c);
  check_layer_count(c, file);
  check_tensors(c, file);
  return c;
}

}  // namespace lookback::models
