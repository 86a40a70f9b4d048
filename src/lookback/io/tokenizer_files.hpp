// SPDX-License-Identifier: MIT
// Where tokenizers come from: llama2.c's tokenizer files and the metadata of GGUF files.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "lookback/io/gguf.hpp"
#include "lookback/io/model_file.hpp"
#include "lookback/io/tokenizer.hpp"

namespace lookback::io {

/// Llama 2's special tokens, presumed where a file doesn't name them.
inline constexpr TokenId kLlamaUnknown = 0;
inline constexpr TokenId kLlamaStart = 1;
inline constexpr TokenId kLlamaEnd = 2;

/// The tokenizer inside a model file; null when it holds none (llama2.c checkpoints never do). tokenizer.ggml.model is
/// "llama" (SentencePiece) or "gpt2" (byte-level merges), whose tokenizer.ggml.pre is "gpt-2", "llama-bpe" or "smollm";
/// none and "default" are taken for "gpt-2". Throws FormatError when its lists contradict each other, UnsupportedError
/// for another model or pre. The result owns its vocabulary: the file may go.
std::unique_ptr<Tokenizer> read_tokenizer(const ModelFile& file);

/// The vocabulary as metadata that read_tokenizer() reads back. Throws FormatError when it contradicts itself, and
/// ValueError for `ignore_merges` without Llama 3's split or the reverse, which GGUF can't say.
void set_tokenizer(GgufWriter& writer, const Vocabulary& vocabulary);

/// A tokenizer file of llama2.c (tokenizer.bin): tokens 0, 1 and 2 are unknown, start and end.
/// Throws FormatError for damaged or truncated content, or an HTML page.
std::unique_ptr<Tokenizer> read_tokenizer_file(std::span<const std::byte> bytes);

/// The vocabulary as such a file.
std::vector<std::byte> write_llama2c_tokenizer(const Vocabulary& vocabulary);

}  // namespace lookback::io
