// SPDX-License-Identifier: MIT
// Vocabularies out of llama2.c's files and GGUF metadata.
#include "lookback/io/tokenizer_files.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/byte_reader.hpp"
#include "lookback/io/byte_writer.hpp"
#include "lookback/io/content.hpp"
#include "lookback/io/spm_tokenizer.hpp"

namespace lookback::io {

namespace {

constexpr TokenId kUnknown = 0;
constexpr TokenId kStart = 1;
constexpr TokenId kEnd = 2;
constexpr std::uint64_t kLeastToken = 8;  // score and length

/// SentencePiece's visible space, U+2581, back to a space.
std::string with_spaces(std::string_view piece) {
  constexpr std::string_view kVisibleSpace = "\xE2\x96\x81";
  std::string result;
  for (std::size_t at = 0; at < piece.size();) {
    const bool is_space = piece.substr(at).starts_with(kVisibleSpace);
    result += is_space ? ' ' : piece[at];
    at += is_space ? kVisibleSpace.size() : 1;
  }
  return result;
}

/// llama2.c's converter writes the start token as "\n<s>\n".
std::string without_line_ends(std::string_view name) {
  if (name.size() > 2 && name.front() == '\n' && name.back() == '\n') name = name.substr(1, name.size() - 2);
  return std::string(name);
}

TokenKind llama2c_kind(TokenId id, const std::string& piece) {
  if (id == kUnknown) return TokenKind::unknown;
  if (id == kStart || id == kEnd) return TokenKind::control;
  return byte_of_piece(piece) >= 0 ? TokenKind::byte : TokenKind::normal;
}

std::vector<float> read_scores(const ModelFile& file, std::size_t count) {
  const MetadataArray* array = file.array("tokenizer.ggml.scores");
  if (!array) throw FormatError("model file: metadata tokenizer.ggml.scores is missing");
  std::vector<float> scores;
  scores.reserve(count);
  for (const double score : array->numbers()) scores.push_back(static_cast<float>(score));
  return scores;
}

std::vector<TokenKind> read_kinds(const ModelFile& file, const std::vector<std::string>& pieces) {
  std::vector<TokenKind> kinds;
  kinds.reserve(pieces.size());
  const MetadataArray* array = file.array("tokenizer.ggml.token_type");
  if (!array) {
    for (const auto& piece : pieces) kinds.push_back(llama2c_kind(static_cast<TokenId>(kinds.size()), piece));
    return kinds;
  }
  for (const std::int64_t kind : array->integers()) {
    if (kind < 1 || kind > 6)
      throw FormatError(message("model file: token ", kinds.size(), " has type ", kind, ", types are 1 to 6"));
    kinds.push_back(static_cast<TokenKind>(kind));
  }
  return kinds;
}

TokenId read_id(const ModelFile& file, const char* key, TokenId absent) {
  const std::int64_t id = file.integer(key).value_or(absent);
  if (id < kNoToken || id > std::numeric_limits<TokenId>::max())
    throw FormatError(message("model file: ", key, " is ", id, ", no token"));
  return static_cast<TokenId>(id);
}

}  // namespace

std::unique_ptr<Tokenizer> read_tokenizer(const ModelFile& file) {
  const auto model = file.text("tokenizer.ggml.model");
  if (!model) return nullptr;
  if (*model != "llama")
    throw UnsupportedError(message("model file: tokenizer.ggml.model ", *model, " is not supported, llama is"));
  const MetadataArray* tokens = file.array("tokenizer.ggml.tokens");
  if (!tokens) throw FormatError("model file: metadata tokenizer.ggml.tokens is missing");
  Vocabulary vocabulary;
  for (const auto piece : tokens->strings()) vocabulary.pieces.push_back(with_spaces(piece));
  vocabulary.scores = read_scores(file, vocabulary.pieces.size());
  vocabulary.kinds = read_kinds(file, vocabulary.pieces);
  vocabulary.start = read_id(file, "tokenizer.ggml.bos_token_id", kStart);
  vocabulary.end = read_id(file, "tokenizer.ggml.eos_token_id", kEnd);
  vocabulary.unknown = read_id(file, "tokenizer.ggml.unknown_token_id", kUnknown);
  vocabulary.add_start = file.boolean("tokenizer.ggml.add_bos_token").value_or(true);
  vocabulary.add_space_prefix = file.boolean("tokenizer.ggml.add_space_prefix").value_or(true);
  return std::make_unique<SpmTokenizer>(std::move(vocabulary));
}

std::unique_ptr<Tokenizer> read_tokenizer_file(std::span<const std::byte> bytes) {
  check_is_data("tokenizer file", bytes);
  ByteReader reader("tokenizer file", bytes);
  if (reader.number<std::int32_t>("longest piece") < 0) reader.fail("the length of the longest piece is negative");
  Vocabulary vocabulary;
  vocabulary.start = kStart;
  vocabulary.end = kEnd;
  vocabulary.unknown = kUnknown;
  while (!reader.at_end()) {
    reader.check_count(1, kLeastToken, "token");
    const auto score = reader.number<float>("score");
    const auto length = reader.number<std::int32_t>("length");
    if (length < 0) reader.fail(message("token ", vocabulary.size(), " has length ", length));
    const auto written = reader.text(static_cast<std::uint64_t>(length), "piece");
    const TokenId id = vocabulary.size();
    const std::string piece = id == kStart || id == kEnd ? without_line_ends(written) : std::string(written);
    vocabulary.kinds.push_back(llama2c_kind(id, piece));
    vocabulary.scores.push_back(score);
    vocabulary.pieces.push_back(with_spaces(piece));
  }
  return std::make_unique<SpmTokenizer>(std::move(vocabulary));
}

std::vector<std::byte> write_llama2c_tokenizer(const Vocabulary& vocabulary) {
  vocabulary.check();
  const auto written = [&](std::size_t i) {
    return vocabulary.kinds[i] == TokenKind::control ? "\n" + vocabulary.pieces[i] + "\n" : vocabulary.pieces[i];
  };
  std::size_t longest = 0;
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i) longest = std::max(longest, written(i).size());
  ByteWriter file;
  file.number(static_cast<std::int32_t>(longest));
  for (std::size_t i = 0; i < vocabulary.pieces.size(); ++i) {
    const std::string piece = written(i);
    file.number(vocabulary.scores[i]);
    file.number(static_cast<std::int32_t>(piece.size()));
    file.text(piece);
  }
  return file.take();
}

}  // namespace lookback::io
