// SPDX-License-Identifier: MIT
// The keys of llama.cpp for tokenizers.
#include "lookback/io/vocabulary_writer.hpp"

#include <string>
#include <vector>

namespace lookback::io {

namespace {

/// Spaces as SentencePiece shows them, U+2581; control tokens keep theirs.
std::string written_piece(const Vocabulary& vocabulary, std::size_t id) {
  if (vocabulary.kinds[id] == TokenKind::control) return vocabulary.pieces[id];
  std::string result;
  for (const char c : vocabulary.pieces[id]) {
    if (c == ' ')
      result += "\xE2\x96\x81";
    else
      result += c;
  }
  return result;
}

}  // namespace

void write_vocabulary(GgufWriter& writer, const Vocabulary& vocabulary) {
  vocabulary.check();
  std::vector<std::string> pieces;
  std::vector<std::int32_t> kinds;
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i) {
    pieces.push_back(written_piece(vocabulary, i));
    kinds.push_back(static_cast<std::int32_t>(vocabulary.kinds[i]));
  }
  writer.set_string("tokenizer.ggml.model", "llama");
  writer.set_strings("tokenizer.ggml.tokens", pieces);
  writer.set_floats("tokenizer.ggml.scores", vocabulary.scores);
  writer.set_integers("tokenizer.ggml.token_type", kinds);
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
