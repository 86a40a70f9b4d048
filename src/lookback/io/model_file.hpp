// SPDX-License-Identifier: MIT
// A model file in memory: named tensors and metadata, all borrowed from the bytes that it owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookback/core/shape.hpp"
#include "lookback/io/metadata.hpp"
#include "lookback/kernels/linear.hpp"

namespace lookback::io {

enum class FileFormat {
  gguf,
  llama2c,
};

/// "gguf", "llama2.c".
const char* name_of(FileFormat format);

/// One tensor. `shape` has the slowest axis first; `weight` reads the same numbers as a matrix whose columns are the
/// last axis (a vector or scalar is one row).
struct TensorEntry {
  std::string name;
  Shape shape;
  kernels::WeightView weight;
  std::uint64_t offset = 0;  ///< of its first byte in the file
  std::uint64_t byte_length = 0;
};

/// What a reader found in the bytes; everything in it borrows from them.
struct ModelContents {
  FileFormat format = FileFormat::gguf;
  std::uint32_t version = 0;  ///< of the format
  std::vector<MetadataEntry> metadata;
  std::vector<TensorEntry> tensors;
};

/// The bytes of a model file and what lies where. Moving it moves no bytes and keeps every view valid.
class ModelFile {
 public:
  /// Recognises the format by content and reads it. Takes the bytes over: nothing but names, scalars and offsets is
  /// copied. Throws FormatError for damaged, truncated, empty or unknown content (and says so when it is an HTML page),
  /// UnsupportedError for versions and tensor types beyond this build; messages name the thing, the rule and the
  /// offsets.
  explicit ModelFile(std::vector<std::byte> bytes);
  ModelFile(ModelFile&&) noexcept = default;
  ModelFile& operator=(ModelFile&&) noexcept = default;
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  FileFormat format() const { return contents_.format; }
  std::uint32_t version() const { return contents_.version; }
  std::uint64_t byte_length() const { return bytes_.size(); }
  /// In file order.
  const std::vector<MetadataEntry>& metadata() const { return contents_.metadata; }
  const std::vector<TensorEntry>& tensors() const { return contents_.tensors; }
  /// Number of weights in all tensors.
  std::int64_t num_parameters() const;

  /// Null when absent.
  const MetadataValue* find_metadata(std::string_view key) const;
  const TensorEntry* find_tensor(std::string_view name) const;

  /// The tensor, or FormatError naming it and the shape that was expected.
  const TensorEntry& tensor(std::string_view name, const Shape& shape) const;

  /// Typed look-ups: nothing when the key is absent, FormatError naming the key when its value is of another kind.
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::string_view> text(std::string_view key) const;
  const MetadataArray* array(std::string_view key) const;

 private:
  std::vector<std::byte> bytes_;
  ModelContents contents_;
};

}  // namespace lookback::io
