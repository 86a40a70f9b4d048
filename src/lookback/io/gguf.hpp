// SPDX-License-Identifier: MIT
// GGUF, the file format of llama.cpp: reading versions 2 and 3, writing version 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookback/core/shape.hpp"
#include "lookback/io/byte_writer.hpp"
#include "lookback/io/metadata.hpp"
#include "lookback/io/model_file.hpp"
#include "lookback/kernels/linear.hpp"

namespace lookback::io {

/// True when the bytes start with "GGUF".
bool is_gguf(std::span<const std::byte> bytes);

/// Reads header, metadata and tensor directory; the result borrows from `bytes`. Untrusted input is safe: every count,
/// length and offset is compared with the bytes present before anything is allocated.
/// Throws FormatError (damaged, truncated, duplicate names) and UnsupportedError (version 1 or above 3, big-endian,
/// tensor types other than F32, F16, Q8_0 and Q4_0, naming the type's number and the tensor).
/// Format: github.com/ggml-org/ggml, docs/gguf.md.
ModelContents read_gguf(std::span<const std::byte> bytes);

/// Puts a GGUF file together. Keys and tensors come out in the order of the calls.
class GgufWriter {
 public:
  /// `alignment` of tensor data: a multiple of 8.
  explicit GgufWriter(std::uint32_t alignment = 32);

  void set_u32(std::string_view key, std::uint32_t value);
  void set_u64(std::string_view key, std::uint64_t value);
  void set_f32(std::string_view key, float value);
  void set_bool(std::string_view key, bool value);
  void set_string(std::string_view key, std::string_view value);
  void set_strings(std::string_view key, std::span<const std::string> values);
  void set_floats(std::string_view key, std::span<const float> values);
  void set_integers(std::string_view key, std::span<const std::int32_t> values);

  /// `shape` with the slowest axis first, at most 4 axes; f16 rounds to nearest even; q8_0 as ggml does, each number to
  /// within half a step of its block, the largest of 32 over 127.
  /// Throws ShapeError when the number of values is not that of the shape, and for q8_0 when rows are not whole blocks;
  /// ValueError for a number that q8_0 can't hold; UnsupportedError for q4_0.
  void add_tensor(std::string_view name, const Shape& shape, std::span<const float> values, kernels::WeightType type);

  std::vector<std::byte> finish() const;

 private:
  void begin_value(std::string_view key, MetadataType type);
  void begin_array(std::string_view key, MetadataType type, std::size_t count);

  std::uint32_t alignment_;
  std::uint64_t num_keys_ = 0;
  std::uint64_t num_tensors_ = 0;
  ByteWriter metadata_;
  ByteWriter directory_;
  ByteWriter data_;
};

}  // namespace lookback::io
