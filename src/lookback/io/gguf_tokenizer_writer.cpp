// SPDX-License-Identifier: MIT
// A vocabulary as GGUF metadata.
#include <string>

#include "lookback/core/error.hpp"
#include "lookback/io/byte_level.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/io/visible_space.hpp"

namespace lookback::io {

namespace {

std::string written_piece(const Vocabulary& vocabulary, std::size_t i) {
  if (!vocabulary.is_byte_level()) return with_visible_spaces(vocabulary.pieces[i]);
  return vocabulary.kinds[i] == TokenKind::normal ? write_bytes(vocabulary.pieces[i]) : vocabulary.pieces[i];
}

const char* name_of(TextSplit split) {
  if (split == TextSplit::llama3) return "llama-bpe";
  return split == TextSplit::smollm ? "smollm" : "gpt-2";
}

void set_merges(GgufWriter& writer, const Vocabulary& vocabulary, std::span<const std::string> written) {
  if (vocabulary.ignore_merges != (vocabulary.split == TextSplit::llama3))
    throw ValueError("set_tokenizer: GGUF ignores merges for Llama 3's split and for no other");
  std::vector<std::string> merges;
  merges.reserve(vocabulary.merges.size());
  for (const TokenMerge& merge : vocabulary.merges)
    merges.push_back(written[static_cast<std::size_t>(merge.left)] + " " +
                     written[static_cast<std::size_t>(merge.right)]);
  writer.set_string("tokenizer.ggml.pre", name_of(vocabulary.split));
  writer.set_strings("tokenizer.ggml.merges", merges);
}

}  // namespace

void set_tokenizer(GgufWriter& writer, const Vocabulary& vocabulary) {
  vocabulary.check();
  std::vector<std::string> written;
  std::vector<std::int32_t> kinds;
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i) {
    written.push_back(written_piece(vocabulary, i));
    kinds.push_back(static_cast<std::int32_t>(vocabulary.kinds[i]));
  }
  writer.set_string("tokenizer.ggml.model", vocabulary.is_byte_level() ? "gpt2" : "llama");
  writer.set_strings("tokenizer.ggml.tokens", written);
  writer.set_integers("tokenizer.ggml.token_type", kinds);
  if (vocabulary.is_byte_level())
    set_merges(writer, vocabulary, written);
  else
    writer.set_floats("tokenizer.ggml.scores", vocabulary.scores);
  const auto set_id = [&](const char* key, TokenId id) {
    if (id != kNoToken) writer.set_u32(key, static_cast<std::uint32_t>(id));
  };
  set_id("tokenizer.ggml.bos_token_id", vocabulary.start);
  set_id("tokenizer.ggml.eos_token_id", vocabulary.end);
  set_id("tokenizer.ggml.unknown_token_id", vocabulary.unknown);
  writer.set_bool("tokenizer.ggml.add_bos_token", vocabulary.add_start);
  writer.set_bool("tokenizer.ggml.add_space_prefix", vocabulary.add_space_prefix);
}

}  // namespace lookback::io
