// SPDX-License-Identifier: MIT
// llama2.c checkpoints: one table says which tensors follow each other, for the reader and the writer.
#include "lookback/io/llama2c.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/byte_reader.hpp"
#include "lookback/io/byte_writer.hpp"

namespace lookback::io {

namespace {

constexpr std::int32_t kLaterMagic = 0x616b3432;  // "ak42"
constexpr std::int32_t kMaxExtent = 1 << 24;
constexpr std::int32_t kMaxLayers = 1 << 12;
constexpr std::uint64_t kHeaderBytes = 28;
// llama2.c's program has these two numbers in its code, not in the file.
constexpr double kNormEpsilon = 1e-5;
constexpr double kRotaryBase = 10000.0;

/// One tensor of the file; an empty name is a part to skip.
struct Part {
  std::string name;
  Shape shape;
};

std::array<std::int32_t, 7> header_fields(std::span<const std::byte> bytes) {
  std::array<std::int32_t, 7> fields{};
  std::memcpy(fields.data(), bytes.data(), sizeof fields);
  return fields;
}

/// Why the header is impossible; empty when it is not.
std::string fault_of(const Llama2cHeader& h) {
  const struct {
    const char* name;
    std::int32_t value;
    std::int32_t limit;
  } fields[] = {{"dim", h.width, kMaxExtent},           {"hidden_dim", h.feed_forward, kMaxExtent},
                {"n_layers", h.layers, kMaxLayers},     {"n_heads", h.heads, kMaxExtent},
                {"n_kv_heads", h.kv_heads, kMaxExtent}, {"vocab_size", h.vocabulary, kMaxExtent},
                {"seq_len", h.context, kMaxExtent}};
  for (const auto& field : fields) {
    if (field.value < 1 || field.value > field.limit) {
      return message(field.name, " should be 1 to ", field.limit, ", it is ", field.value);
    }
  }
  if (h.width % h.heads != 0) return message("n_heads ", h.heads, " does not divide dim ", h.width);
  if (h.heads % h.kv_heads != 0) return message("n_kv_heads ", h.kv_heads, " does not divide n_heads ", h.heads);
  if (h.width / h.heads % 2 != 0) return message("the width of a head, ", h.width / h.heads, ", is odd");
  return {};
}

Llama2cHeader header_of(const std::array<std::int32_t, 7>& fields) {
  Llama2cHeader header;
  header.width = fields[0];
  header.feed_forward = fields[1];
  header.layers = fields[2];
  header.heads = fields[3];
  header.kv_heads = fields[4];
  header.separate_output = fields[5] < 0;
  // The least int has no positive twin; 0 is refused like every other impossible count.
  if (fields[5] != INT32_MIN) header.vocabulary = fields[5] < 0 ? -fields[5] : fields[5];
  header.context = fields[6];
  return header;
}

/// All parts in file order: each kind of tensor for all layers, then the next kind.
std::vector<Part> parts_of(const Llama2cHeader& h) {
  const std::int64_t head_dim = h.width / h.heads;
  const std::int64_t kv_width = h.kv_heads * head_dim;
  std::vector<Part> parts;
  const auto add_layers = [&](const char* name, const Shape& shape) {
    for (std::int32_t layer = 0; layer < h.layers; ++layer)
      parts.push_back({message("blk.", layer, ".", name, ".weight"), shape});
  };
  parts.push_back({"token_embd.weight", Shape{h.vocabulary, h.width}});
  add_layers("attn_norm", Shape{h.width});
  add_layers("attn_q", Shape{h.width, h.width});
  add_layers("attn_k", Shape{kv_width, h.width});
  add_layers("attn_v", Shape{kv_width, h.width});
  add_layers("attn_output", Shape{h.width, h.width});
  add_layers("ffn_norm", Shape{h.width});
  add_layers("ffn_gate", Shape{h.feed_forward, h.width});
  add_layers("ffn_down", Shape{h.width, h.feed_forward});
  add_layers("ffn_up", Shape{h.feed_forward, h.width});
  parts.push_back({"output_norm.weight", Shape{h.width}});
  parts.push_back({"", Shape{2, h.context, head_dim / 2}});
  if (h.separate_output) parts.push_back({"output.weight", Shape{h.vocabulary, h.width}});
  return parts;
}

std::uint64_t bytes_of(const Shape& shape) { return static_cast<std::uint64_t>(shape.num_elements()) * sizeof(float); }

/// Length of the whole file.
std::uint64_t expected_size(const std::vector<Part>& parts) {
  std::uint64_t size = kHeaderBytes;
  for (const auto& part : parts) size += bytes_of(part.shape);
  return size;
}

/// The largest products of the header, so that a lying one is refused before any list is made of it. With the limits
/// above the sum stays below 2^63.
void check_extents(const Llama2cHeader& h, std::uint64_t file_size) {
  const auto width = static_cast<std::uint64_t>(h.width);
  const auto layers = static_cast<std::uint64_t>(h.layers);
  const std::uint64_t floats = width * static_cast<std::uint64_t>(h.vocabulary) +
                               width / static_cast<std::uint64_t>(h.heads) * static_cast<std::uint64_t>(h.context) +
                               3 * width * static_cast<std::uint64_t>(h.feed_forward) * layers +
                               2 * width * width * layers;
  if (floats > file_size / sizeof(float)) {
    throw FormatError(
        message("llama2.c: the header asks for more than ", floats, " numbers, the file has ", file_size, " bytes"));
  }
}

std::vector<MetadataEntry> metadata_of(const Llama2cHeader& h) {
  const std::int64_t head_dim = h.width / h.heads;
  return {
      {"general.architecture", std::string_view("llama")},
      {"llama.context_length", std::int64_t{h.context}},
      {"llama.embedding_length", std::int64_t{h.width}},
      {"llama.block_count", std::int64_t{h.layers}},
      {"llama.feed_forward_length", std::int64_t{h.feed_forward}},
      {"llama.attention.head_count", std::int64_t{h.heads}},
      {"llama.attention.head_count_kv", std::int64_t{h.kv_heads}},
      {"llama.attention.layer_norm_rms_epsilon", kNormEpsilon},
      {"llama.rope.dimension_count", head_dim},
      {"llama.rope.freq_base", kRotaryBase},
      {"llama.vocab_size", std::int64_t{h.vocabulary}},
  };
}

TensorEntry entry_of(const Part& part, std::span<const std::byte> bytes, std::uint64_t offset) {
  TensorEntry entry;
  entry.name = part.name;
  entry.shape = part.shape;
  entry.offset = offset;
  entry.byte_length = bytes_of(part.shape);
  const std::int64_t cols = part.shape[-1];
  entry.weight = {kernels::WeightType::f32, part.shape.num_elements() / cols, cols, bytes.data() + offset};
  return entry;
}

}  // namespace

bool is_llama2c(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) return false;
  const auto fields = header_fields(bytes);
  return fields[0] == kLaterMagic || fault_of(header_of(fields)).empty();
}

ModelContents read_llama2c(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) {
    throw FormatError(message("llama2.c: the header has ", kHeaderBytes, " bytes, the file only ", bytes.size()));
  }
  const auto fields = header_fields(bytes);
  if (fields[0] == kLaterMagic) {
    throw UnsupportedError(message("llama2.c: version ", fields[1],
                                   " checkpoints are not supported, version 0 is (export.py --version 0)"));
  }
  const Llama2cHeader header = header_of(fields);
  if (const std::string fault = fault_of(header); !fault.empty()) throw FormatError("llama2.c: " + fault);
  check_extents(header, bytes.size());

  const std::vector<Part> parts = parts_of(header);
  if (const std::uint64_t size = expected_size(parts); size != bytes.size()) {
    throw FormatError(message("llama2.c: the header asks for ", size, " bytes, the file has ", bytes.size()));
  }
  ModelContents contents;
  contents.format = FileFormat::llama2c;
  contents.metadata = metadata_of(header);
  std::uint64_t offset = kHeaderBytes;
  for (const auto& part : parts) {
    if (!part.name.empty()) contents.tensors.push_back(entry_of(part, bytes, offset));
    offset += bytes_of(part.shape);
  }
  return contents;
}

std::vector<std::byte> write_llama2c(const Llama2cHeader& header, const TensorSource& tensor) {
  if (const std::string fault = fault_of(header); !fault.empty()) throw ValueError("llama2.c: " + fault);
  ByteWriter file;
  const std::int32_t vocabulary = header.separate_output ? -header.vocabulary : header.vocabulary;
  for (const std::int32_t field :
       {header.width, header.feed_forward, header.layers, header.heads, header.kv_heads, vocabulary, header.context}) {
    file.number(field);
  }
  for (const auto& part : parts_of(header)) {
    // Readers ignore the tables of angles, which they can compute better themselves.
    const auto values =
        part.name.empty() ? std::vector<float>(static_cast<std::size_t>(part.shape.num_elements())) : tensor(part.name);
    if (static_cast<std::int64_t>(values.size()) != part.shape.num_elements()) {
      throw ShapeError(
          message("llama2.c: tensor ", part.name, " of shape ", part.shape, " was given ", values.size(), " values"));
    }
    file.append(std::as_bytes(std::span(values)));
  }
  return file.take();
}

}  // namespace lookback::io
