// SPDX-License-Identifier: MIT
// A tokenizer's vocabulary as GGUF metadata, as read_tokenizer reads it.
#pragma once

#include "lookback/io/gguf.hpp"
#include "lookback/io/vocabulary.hpp"

namespace lookback::io {

/// Writes the keys tokenizer.ggml.*. Throws FormatError for a vocabulary that contradicts itself.
void write_vocabulary(GgufWriter& writer, const Vocabulary& vocabulary);

}  // namespace lookback::io
