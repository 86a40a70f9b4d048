// SPDX-License-Identifier: MIT
// Recognising formats, and look-ups by name.
#include "lookback/io/model_file.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/content.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/io/llama2c.hpp"

namespace lookback::io {

namespace {

ModelContents read_contents(std::span<const std::byte> bytes) {
  check_is_data("model file", bytes);
  if (is_gguf(bytes)) return read_gguf(bytes);
  if (is_llama2c(bytes)) return read_llama2c(bytes);
  throw FormatError(message("model file: the first bytes of ", bytes.size(),
                            " are neither those of a GGUF file nor a plausible header of a llama2.c checkpoint"));
}

[[noreturn]] void fail_kind(std::string_view key, const char* wanted, const MetadataValue& value) {
  throw FormatError(message("model file: metadata ", key, " should be ", wanted, ", it is ", to_string(value)));
}

}  // namespace

const char* name_of(FileFormat format) { return format == FileFormat::gguf ? "gguf" : "llama2.c"; }

ModelFile::ModelFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)), contents_(read_contents(bytes_)) {}

std::int64_t ModelFile::num_parameters() const {
  std::int64_t count = 0;
  for (const auto& tensor : contents_.tensors) count += tensor.shape.num_elements();
  return count;
}

const MetadataValue* ModelFile::find_metadata(std::string_view key) const {
  const auto& entries = contents_.metadata;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

const TensorEntry* ModelFile::find_tensor(std::string_view name) const {
  const auto& entries = contents_.tensors;
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

const TensorEntry& ModelFile::tensor(std::string_view name, const Shape& shape) const {
  const TensorEntry* entry = find_tensor(name);
  if (!entry) throw FormatError(message("model file: tensor ", name, " of shape ", shape, " is missing"));
  if (entry->shape != shape) {
    throw FormatError(message("model file: tensor ", name, " should have shape ", shape, ", it has ", entry->shape));
  }
  return *entry;
}

std::optional<std::int64_t> ModelFile::integer(std::string_view key) const {
  const MetadataValue* value = find_metadata(key);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(value)) return *number;
  fail_kind(key, "an integer below 2^63", *value);
}

std::optional<double> ModelFile::number(std::string_view key) const {
  const MetadataValue* value = find_metadata(key);
  if (!value) return std::nullopt;
  if (const auto* number = std::get_if<double>(value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  fail_kind(key, "a number", *value);
}

std::optional<bool> ModelFile::boolean(std::string_view key) const {
  const MetadataValue* value = find_metadata(key);
  if (!value) return std::nullopt;
  if (const auto* flag = std::get_if<bool>(value)) return *flag;
  fail_kind(key, "true or false", *value);
}

std::optional<std::string_view> ModelFile::text(std::string_view key) const {
  const MetadataValue* value = find_metadata(key);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string_view>(value)) return *text;
  fail_kind(key, "text", *value);
}

const MetadataArray* ModelFile::array(std::string_view key) const {
  const MetadataValue* value = find_metadata(key);
  if (!value) return nullptr;
  if (const auto* array = std::get_if<MetadataArray>(value)) return array;
  fail_kind(key, "an array", *value);
}

}  // namespace lookback::io
