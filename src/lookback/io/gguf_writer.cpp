// SPDX-License-Identifier: MIT
// The writer of GGUF, version 3.
#include <algorithm>
#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/kernels/half.hpp"
#include "lookback/kernels/quantised.hpp"

namespace lookback::io {

namespace {

constexpr std::uint32_t kVersion = 3;
constexpr int kMaxRank = 4;

void write_string(ByteWriter& writer, std::string_view text) {
  writer.number(static_cast<std::uint64_t>(text.size()));
  writer.text(text);
}

/// Q8_0 as ggml makes it: scale = max |x| / 127, each number the nearest whole multiple, halves away from zero.
void write_q8_0(ByteWriter& writer, std::span<const float> values) {
  for (; !values.empty(); values = values.subspan(kernels::kBlockSize)) {
    const auto block = values.first(kernels::kBlockSize);
    float largest = 0.0f;
    for (const float value : block) largest = std::max(largest, std::abs(value));
    const float scale = largest / 127.0f;
    const float inverse = scale > 0.0f ? 1.0f / scale : 0.0f;
    writer.number(kernels::float_to_half(scale));
    for (const float value : block) {
      writer.number(static_cast<std::int8_t>(std::clamp(std::round(value * inverse), -127.0f, 127.0f)));
    }
  }
}

/// Scales are halves, and a row holds whole blocks.
void check_can_quantise(std::string_view name, const Shape& shape, std::span<const float> values) {
  if (shape.rank() == 0 || shape[-1] % kernels::kBlockSize != 0) {
    throw ShapeError(message("gguf: rows of tensor ", name, " ", shape, " are not whole blocks of ",
                             kernels::kBlockSize, " numbers, which Q8_0 needs"));
  }
  constexpr float kMost = 127.0f * 65504.0f;
  for (const float value : values) {
    if (!(std::abs(value) <= kMost)) {
      throw ValueError(message("gguf: tensor ", name, " holds ", value, ", which Q8_0 can't"));
    }
  }
}

std::uint32_t number_of(std::string_view name, kernels::WeightType type) {
  switch (type) {
    case kernels::WeightType::f32: return 0;
    case kernels::WeightType::f16: return 1;
    case kernels::WeightType::q8_0: return 8;
    default: break;
  }
  throw UnsupportedError(message("gguf: tensor ", name, " can't be written as ", kernels::name_of(type)));
}

}  // namespace

GgufWriter::GgufWriter(std::uint32_t alignment) : alignment_(alignment) {
  if (alignment == 0 || alignment % 8 != 0)
    throw ValueError(message("gguf: alignment should be a multiple of 8, it is ", alignment));
  set_u32("general.alignment", alignment);
}

void GgufWriter::begin_value(std::string_view key, MetadataType type) {
  write_string(metadata_, key);
  metadata_.number(static_cast<std::uint32_t>(type));
  ++num_keys_;
}

void GgufWriter::begin_array(std::string_view key, MetadataType type, std::size_t count) {
  begin_value(key, MetadataType::array);
  metadata_.number(static_cast<std::uint32_t>(type));
  metadata_.number(static_cast<std::uint64_t>(count));
}

void GgufWriter::set_u32(std::string_view key, std::uint32_t value) {
  begin_value(key, MetadataType::u32);
  metadata_.number(value);
}

void GgufWriter::set_u64(std::string_view key, std::uint64_t value) {
  begin_value(key, MetadataType::u64);
  metadata_.number(value);
}

void GgufWriter::set_f32(std::string_view key, float value) {
  begin_value(key, MetadataType::f32);
  metadata_.number(value);
}

void GgufWriter::set_bool(std::string_view key, bool value) {
  begin_value(key, MetadataType::boolean);
  metadata_.number(static_cast<std::uint8_t>(value ? 1 : 0));
}

void GgufWriter::set_string(std::string_view key, std::string_view value) {
  begin_value(key, MetadataType::string);
  write_string(metadata_, value);
}

void GgufWriter::set_strings(std::string_view key, std::span<const std::string> values) {
  begin_array(key, MetadataType::string, values.size());
  for (const auto& value : values) write_string(metadata_, value);
}

void GgufWriter::set_floats(std::string_view key, std::span<const float> values) {
  begin_array(key, MetadataType::f32, values.size());
  metadata_.append(std::as_bytes(values));
}

void GgufWriter::set_integers(std::string_view key, std::span<const std::int32_t> values) {
  begin_array(key, MetadataType::i32, values.size());
  metadata_.append(std::as_bytes(values));
}

void GgufWriter::add_tensor(std::string_view name, const Shape& shape, std::span<const float> values,
                            kernels::WeightType type) {
  if (shape.rank() > kMaxRank || shape.num_elements() != static_cast<std::int64_t>(values.size())) {
    throw ShapeError(message("gguf: tensor ", name, " of shape ", shape, " can't hold ", values.size(), " values"));
  }
  const std::uint32_t number = number_of(name, type);
  if (type == kernels::WeightType::q8_0) check_can_quantise(name, shape, values);
  write_string(directory_, name);
  directory_.number(static_cast<std::uint32_t>(shape.rank()));
  for (int axis = shape.rank() - 1; axis >= 0; --axis) directory_.number(static_cast<std::uint64_t>(shape[axis]));
  directory_.number(number);
  directory_.number(static_cast<std::uint64_t>(data_.size()));
  if (type == kernels::WeightType::f32)
    data_.append(std::as_bytes(values));
  else if (type == kernels::WeightType::q8_0)
    write_q8_0(data_, values);
  else
    for (const float value : values) data_.number(kernels::float_to_half(value));
  data_.align(alignment_);
  ++num_tensors_;
}

std::vector<std::byte> GgufWriter::finish() const {
  ByteWriter file;
  file.text("GGUF");
  file.number(kVersion);
  file.number(num_tensors_);
  file.number(num_keys_);
  file.append(metadata_.bytes());
  file.append(directory_.bytes());
  file.align(alignment_);
  file.append(data_.bytes());
  return file.take();
}

}  // namespace lookback::io
