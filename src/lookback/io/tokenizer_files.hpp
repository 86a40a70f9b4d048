// SPDX-License-Identifier: MIT
// Where tokenizers come from: llama2.c's tokenizer files and the metadata of GGUF files.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "lookback/io/model_file.hpp"
#include "lookback/io/tokenizer.hpp"

namespace lookback::io {

/// The tokenizer inside a model file; null when it holds none (llama2.c checkpoints never do).
/// Throws FormatError when its lists contradict each other, UnsupportedError for a tokenizer.ggml.model this build does
/// not know. The result owns its vocabulary: the file may go.
std::unique_ptr<Tokenizer> read_tokenizer(const ModelFile& file);

/// A tokenizer file of llama2.c (tokenizer.bin): tokens 0, 1 and 2 are unknown, start and end.
/// Throws FormatError for damaged or truncated content, or an HTML page.
std::unique_ptr<Tokenizer> read_tokenizer_file(std::span<const std::byte> bytes);

/// The vocabulary as such a file.
std::vector<std::byte> write_llama2c_tokenizer(const Vocabulary& vocabulary);

}  // namespace lookback::io
