// SPDX-License-Identifier: MIT
// Files on the disk: reading and writing them whole, and finding the tokenizer that belongs to a model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/model_file.hpp"
#include "lookback/io/tokenizer.hpp"

namespace lookback::tools {

/// The same error with the path in front.
template <typename Read>
auto naming(const std::filesystem::path& path, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.code(), message(path.string(), ": ", error.what()));
  }
}

/// Throw ValueError naming the path when it can't be read or written.
std::vector<std::byte> read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Reads a model; errors name the path.
io::ModelFile read_model(const std::filesystem::path& path);

/// The tokenizer of a model: the one named, else the one in the file, else tokenizer.bin or the only tok*.bin beside
/// it. Throws ValueError when there is none, or more than one to choose from.
std::unique_ptr<io::Tokenizer> find_tokenizer(const io::ModelFile& file, const std::filesystem::path& model,
                                              const std::filesystem::path& named);

/// The tokenizer in a GGUF file, or a tokenizer file.
std::unique_ptr<io::Tokenizer> read_any_tokenizer(const std::filesystem::path& path);

}  // namespace lookback::tools
