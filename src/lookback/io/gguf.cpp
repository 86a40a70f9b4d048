// SPDX-License-Identifier: MIT
// The reader of GGUF: header, metadata, tensor directory, in the order in which they lie in the file.
#include "lookback/io/gguf.hpp"

#include <algorithm>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/byte_reader.hpp"
#include "lookback/kernels/quantised.hpp"

namespace lookback::io {

namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint32_t kMaxRank = 4;
constexpr int kMaxArrayDepth = 4;
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 40;
constexpr std::int64_t kDefaultAlignment = 32;
constexpr std::int64_t kMaxAlignment = std::int64_t{1} << 20;
// The least that an entry takes: key length, type, one byte of value; name length, rank, type, offset.
constexpr std::uint64_t kLeastEntry = 13;
constexpr std::uint64_t kLeastTensor = 24;

std::string_view read_string(ByteReader& reader, const char* what) {
  return reader.text(reader.number<std::uint64_t>(what), what);
}

/// Bytes of one value of a type with a fixed size; 0 for strings and arrays.
std::uint64_t size_of(MetadataType type) {
  switch (type) {
    case MetadataType::u8:
    case MetadataType::i8:
    case MetadataType::boolean: return 1;
    case MetadataType::u16:
    case MetadataType::i16: return 2;
    case MetadataType::u32:
    case MetadataType::i32:
    case MetadataType::f32: return 4;
    case MetadataType::u64:
    case MetadataType::i64:
    case MetadataType::f64: return 8;
    case MetadataType::string:
    case MetadataType::array: return 0;
  }
  return 0;
}

MetadataType read_type(ByteReader& reader) {
  const auto number = reader.number<std::uint32_t>("metadata type");
  if (number > static_cast<std::uint32_t>(MetadataType::f64))
    reader.fail(message("metadata type ", number, " is unknown (0 to 12)"));
  return static_cast<MetadataType>(number);
}

/// Steps over an array and gives its extent; every length in it has then been checked.
MetadataArray read_array(ByteReader& reader, int depth) {
  if (depth > kMaxArrayDepth) reader.fail(message("arrays nested deeper than ", kMaxArrayDepth));
  MetadataArray array;
  array.type = read_type(reader);
  array.count = reader.number<std::uint64_t>("array count");
  ByteReader start = reader;
  if (const std::uint64_t size = size_of(array.type)) {
    reader.check_count(array.count, size, "metadata array");
    array.bytes = reader.take(array.count * size, "metadata array");
    return array;
  }
  reader.check_count(array.count, sizeof(std::uint64_t), "metadata array");
  for (std::uint64_t i = 0; i < array.count; ++i) {
    if (array.type == MetadataType::string)
      read_string(reader, "string of an array");
    else
      read_array(reader, depth + 1);
  }
  array.bytes = start.take(reader.offset() - start.offset(), "metadata array");
  return array;
}

MetadataValue read_unsigned(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return value;
  return static_cast<std::int64_t>(value);
}

template <typename Integer>
MetadataValue read_integer(ByteReader& reader) {
  return static_cast<std::int64_t>(reader.number<Integer>("metadata value"));
}

MetadataValue read_bool(ByteReader& reader) {
  const auto byte = reader.number<std::uint8_t>("metadata value");
  if (byte > 1) reader.fail(message("a truth value should be 0 or 1, it is ", int{byte}));
  return byte == 1;
}

MetadataValue read_value(ByteReader& reader) {
  switch (read_type(reader)) {
    case MetadataType::u8: return read_integer<std::uint8_t>(reader);
    case MetadataType::i8: return read_integer<std::int8_t>(reader);
    case MetadataType::u16: return read_integer<std::uint16_t>(reader);
    case MetadataType::i16: return read_integer<std::int16_t>(reader);
    case MetadataType::u32: return read_integer<std::uint32_t>(reader);
    case MetadataType::i32: return read_integer<std::int32_t>(reader);
    case MetadataType::i64: return read_integer<std::int64_t>(reader);
    case MetadataType::u64: return read_unsigned(reader.number<std::uint64_t>("metadata value"));
    case MetadataType::f32: return static_cast<double>(reader.number<float>("metadata value"));
    case MetadataType::f64: return reader.number<double>("metadata value");
    case MetadataType::boolean: return read_bool(reader);
    case MetadataType::string: return read_string(reader, "metadata string");
    case MetadataType::array: return read_array(reader, 1);
  }
  reader.fail("metadata type is unknown");
}

std::uint32_t read_version(ByteReader& reader) {
  const auto magic = reader.number<std::uint32_t>("magic number");
  if (magic != kMagic) reader.fail("the first four bytes are not GGUF");
  const auto version = reader.number<std::uint32_t>("version");
  if (version == 2 || version == 3) return version;
  if ((version & 0xFFFFu) == 0 && version != 0) {
    throw UnsupportedError(
        message("gguf: the file is big-endian (version field ", version, "); only little-endian files are read"));
  }
  throw UnsupportedError(message("gguf: version ", version, " is not supported, versions 2 and 3 are"));
}

template <typename Entry>
void check_unique(const std::vector<Entry>& entries, std::string Entry::*name, const char* what) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) names.push_back(entry.*name);
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end()) throw FormatError(message("gguf: ", what, " ", *twin, " appears twice"));
}

std::uint64_t read_alignment(const std::vector<MetadataEntry>& metadata) {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [](const auto& entry) { return entry.key == "general.alignment"; });
  if (found == metadata.end()) return static_cast<std::uint64_t>(kDefaultAlignment);
  const auto* value = std::get_if<std::int64_t>(&found->value);
  if (!value || *value < 8 || *value > kMaxAlignment || *value % 8 != 0) {
    throw FormatError(message("gguf: general.alignment should be a multiple of 8 up to ", kMaxAlignment, ", it is ",
                              to_string(found->value)));
  }
  return static_cast<std::uint64_t>(*value);
}

/// Extents with the slowest axis first; the file has the fastest first.
Shape read_shape(ByteReader& reader, const std::string& name) {
  const auto rank = reader.number<std::uint32_t>("tensor rank");
  if (rank > kMaxRank)
    reader.fail(message("tensor ", name, " has ", rank, " axes, at most ", kMaxRank, " are allowed"));
  std::vector<std::int64_t> dims(rank);
  std::uint64_t num_elements = 1;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const auto extent = reader.number<std::uint64_t>("tensor extent");
    if (extent > kMaxElements || (num_elements != 0 && extent > kMaxElements / num_elements)) {
      reader.fail(
          message("tensor ", name, " has an extent of ", extent, ", together more than ", kMaxElements, " elements"));
    }
    num_elements *= extent;
    dims[rank - 1 - axis] = static_cast<std::int64_t>(extent);
  }
  return Shape(std::move(dims));
}

kernels::WeightType weight_type(std::uint32_t type, const std::string& name) {
  switch (type) {
    case 0: return kernels::WeightType::f32;
    case 1: return kernels::WeightType::f16;
    case 2: return kernels::WeightType::q4_0;
    case 8: return kernels::WeightType::q8_0;
    case 12: return kernels::WeightType::q4_k;
    case 14: return kernels::WeightType::q6_k;
    case 30: return kernels::WeightType::bf16;
    default: break;
  }
  throw UnsupportedError(message("gguf: tensor ", name, " has type ", type,
                                 "; this build reads types 0 (F32), 1 (F16), ",
                                 "2 (Q4_0), 8 (Q8_0), 12 (Q4_K), 14 (Q6_K) and 30 (BF16)"));
}

/// A row of a block type holds whole blocks.
void check_blocks(const TensorEntry& entry) {
  const std::int64_t length = kernels::block_length(entry.weight.type);
  if (entry.weight.cols % length != 0) {
    throw FormatError(
        message("gguf: tensor ", entry.name, " ", entry.shape, " has rows that are no whole blocks of ", length));
  }
}

/// The directory entry; where the bytes lie is known only when the whole directory has been read.
TensorEntry read_tensor(ByteReader& reader) {
  TensorEntry entry;
  entry.name = read_string(reader, "tensor name");
  entry.shape = read_shape(reader, entry.name);
  entry.weight.type = weight_type(reader.number<std::uint32_t>("tensor type"), entry.name);
  entry.weight.cols = entry.shape.rank() == 0 ? 1 : entry.shape[-1];
  entry.weight.rows = entry.weight.cols == 0 ? 0 : entry.shape.num_elements() / entry.weight.cols;
  check_blocks(entry);
  entry.byte_length = static_cast<std::uint64_t>(kernels::row_bytes(entry.weight.type, entry.shape.num_elements()));
  entry.offset = reader.number<std::uint64_t>("tensor offset");
  return entry;
}

/// Turns the offset into one from the start of the file, and lets the view point at the bytes.
void locate(TensorEntry& entry, std::span<const std::byte> bytes, std::uint64_t data_start, std::uint64_t alignment) {
  const std::uint64_t data_size = bytes.size() - std::min<std::uint64_t>(data_start, bytes.size());
  if (entry.offset % alignment != 0) {
    throw FormatError(message("gguf: tensor ", entry.name, " starts at ", entry.offset,
                              ", no multiple of the alignment ", alignment));
  }
  if (entry.byte_length == 0) {
    entry.offset = data_start;
    return;
  }
  if (entry.offset > data_size || entry.byte_length > data_size - entry.offset) {
    throw FormatError(message("gguf: tensor ", entry.name, " has ", entry.byte_length, " bytes at ", entry.offset,
                              " of the data, which holds ", data_size,
                              " bytes; the file is truncated or its directory is wrong"));
  }
  entry.offset += data_start;
  entry.weight.bytes = bytes.data() + entry.offset;
}

}  // namespace

bool is_gguf(std::span<const std::byte> bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() < sizeof magic) return false;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic == kMagic;
}

ModelContents read_gguf(std::span<const std::byte> bytes) {
  ByteReader reader("gguf", bytes);
  ModelContents contents;
  contents.format = FileFormat::gguf;
  contents.version = read_version(reader);
  const auto num_tensors = reader.number<std::uint64_t>("tensor count");
  const auto num_keys = reader.number<std::uint64_t>("metadata count");
  reader.check_count(num_keys, kLeastEntry, "metadata");
  reader.check_count(num_tensors, kLeastTensor, "tensor directory");

  for (std::uint64_t i = 0; i < num_keys; ++i) {
    std::string key(read_string(reader, "metadata key"));
    contents.metadata.push_back({std::move(key), read_value(reader)});
  }
  check_unique(contents.metadata, &MetadataEntry::key, "metadata key");
  const std::uint64_t alignment = read_alignment(contents.metadata);

  for (std::uint64_t i = 0; i < num_tensors; ++i) contents.tensors.push_back(read_tensor(reader));
  check_unique(contents.tensors, &TensorEntry::name, "tensor");
  const std::uint64_t data_start = (reader.offset() + alignment - 1) / alignment * alignment;
  for (auto& tensor : contents.tensors) locate(tensor, bytes, data_start, alignment);
  return contents;
}

}  // namespace lookback::io
