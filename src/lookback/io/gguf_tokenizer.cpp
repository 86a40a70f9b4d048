// SPDX-License-Identifier: MIT
// Vocabularies out of GGUF metadata.
#include <limits>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/bpe_tokenizer.hpp"
#include "lookback/io/byte_level.hpp"
#include "lookback/io/spm_tokenizer.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/io/visible_space.hpp"

namespace lookback::io {

namespace {

struct SplitName {
  std::string_view name;
  TextSplit split;
};
constexpr SplitName kSplitNames[] = {{"gpt-2", TextSplit::gpt2},       {"default", TextSplit::gpt2},
                                     {"llama-bpe", TextSplit::llama3}, {"llama3", TextSplit::llama3},
                                     {"llama-v3", TextSplit::llama3},  {"smollm", TextSplit::smollm}};

const MetadataArray& required_array(const ModelFile& file, std::string_view key) {
  const MetadataArray* array = file.array(key);
  if (!array) throw FormatError(message("model file: metadata ", key, " is missing"));
  return *array;
}

std::vector<float> read_scores(const ModelFile& file, std::size_t count) {
  std::vector<float> scores;
  scores.reserve(count);
  for (const double score : required_array(file, "tokenizer.ggml.scores").numbers())
    scores.push_back(static_cast<float>(score));
  return scores;
}

TokenKind presumed_kind(const Vocabulary& vocabulary, TokenId id, std::string_view piece) {
  if (id == vocabulary.unknown) return TokenKind::unknown;
  if (id == vocabulary.start || id == vocabulary.end) return TokenKind::control;
  const bool is_byte = !vocabulary.is_byte_level() && byte_of_piece(piece) >= 0;
  return is_byte ? TokenKind::byte : TokenKind::normal;
}

std::vector<TokenKind> read_kinds(const ModelFile& file, const Vocabulary& vocabulary,
                                  std::span<const std::string_view> pieces) {
  std::vector<TokenKind> kinds;
  kinds.reserve(pieces.size());
  const MetadataArray* array = file.array("tokenizer.ggml.token_type");
  if (!array) {
    for (const auto piece : pieces)
      kinds.push_back(presumed_kind(vocabulary, static_cast<TokenId>(kinds.size()), piece));
    return kinds;
  }
  for (const std::int64_t kind : array->integers()) {
    if (kind < 1 || kind > 6)
      throw FormatError(message("model file: token ", kinds.size(), " has type ", kind, ", types are 1 to 6"));
    kinds.push_back(static_cast<TokenKind>(kind));
  }
  if (kinds.size() != pieces.size())
    throw FormatError(message("model file: ", pieces.size(), " tokens, but ", kinds.size(), " token types"));
  return kinds;
}

TokenId read_id(const ModelFile& file, const char* key, TokenId absent) {
  const std::int64_t id = file.integer(key).value_or(absent);
  if (id < kNoToken || id > std::numeric_limits<TokenId>::max())
    throw FormatError(message("model file: ", key, " is ", id, ", no token"));
  return static_cast<TokenId>(id);
}

TextSplit read_split(const ModelFile& file) {
  const std::string_view name = file.text("tokenizer.ggml.pre").value_or("default");
  for (const SplitName& known : kSplitNames) {
    if (known.name == name) return known.split;
  }
  throw UnsupportedError(
      message("model file: tokenizer.ggml.pre ", name, " is not supported; gpt-2, default, llama-bpe and smollm are"));
}

/// Merges as "left right", both as they are written among the tokens.
std::vector<TokenMerge> read_merges(const ModelFile& file, std::span<const std::string_view> written) {
  PieceIndex index;
  for (std::size_t i = 0; i < written.size(); ++i) index.add(written[i], static_cast<TokenId>(i));
  index.sort();
  std::vector<TokenMerge> merges;
  for (const auto line : required_array(file, "tokenizer.ggml.merges").strings()) {
    const std::size_t space = line.find(' ', 1);
    TokenMerge merge;
    if (space < line.size()) merge = {index.find(line.substr(0, space)), index.find(line.substr(space + 1))};
    if (merge.left == kNoToken || merge.right == kNoToken) {
      throw FormatError(message("model file: merge ", merges.size(),
                                " of tokenizer.ggml.merges is not two tokens with a space between them"));
    }
    merges.push_back(merge);
  }
  return merges;
}

/// Without special tokens unless the file names them: their numbers differ from model to model.
std::unique_ptr<Tokenizer> read_byte_level(const ModelFile& file, std::span<const std::string_view> written) {
  Vocabulary vocabulary;
  vocabulary.split = read_split(file);
  vocabulary.ignore_merges = vocabulary.split == TextSplit::llama3;
  vocabulary.start = read_id(file, "tokenizer.ggml.bos_token_id", kNoToken);
  vocabulary.end = read_id(file, "tokenizer.ggml.eos_token_id", kNoToken);
  vocabulary.unknown = read_id(file, "tokenizer.ggml.unknown_token_id", kNoToken);
  vocabulary.add_start = file.boolean("tokenizer.ggml.add_bos_token").value_or(vocabulary.split == TextSplit::llama3);
  vocabulary.add_space_prefix = false;
  vocabulary.kinds = read_kinds(file, vocabulary, written);
  vocabulary.scores.assign(written.size(), 0.0f);
  for (std::size_t i = 0; i < written.size(); ++i)
    vocabulary.pieces.push_back(byte_level_piece(written[i], vocabulary.kinds[i]));
  vocabulary.merges = read_merges(file, written);
  return std::make_unique<BpeTokenizer>(std::move(vocabulary));
}

std::unique_ptr<Tokenizer> read_sentencepiece(const ModelFile& file, std::span<const std::string_view> written) {
  Vocabulary vocabulary;
  vocabulary.start = read_id(file, "tokenizer.ggml.bos_token_id", kLlamaStart);
  vocabulary.end = read_id(file, "tokenizer.ggml.eos_token_id", kLlamaEnd);
  vocabulary.unknown = read_id(file, "tokenizer.ggml.unknown_token_id", kLlamaUnknown);
  vocabulary.add_start = file.boolean("tokenizer.ggml.add_bos_token").value_or(true);
  vocabulary.add_space_prefix = file.boolean("tokenizer.ggml.add_space_prefix").value_or(true);
  vocabulary.scores = read_scores(file, written.size());
  vocabulary.kinds = read_kinds(file, vocabulary, written);
  for (const auto piece : written) vocabulary.pieces.push_back(with_spaces(piece));
  return std::make_unique<SpmTokenizer>(std::move(vocabulary));
}

}  // namespace

std::unique_ptr<Tokenizer> read_tokenizer(const ModelFile& file) {
  const auto model = file.text("tokenizer.ggml.model");
  if (!model) return nullptr;
  if (*model != "llama" && *model != "gpt2")
    throw UnsupportedError(
        message("model file: tokenizer.ggml.model ", *model, " is not supported, llama and gpt2 are"));
  const auto written = required_array(file, "tokenizer.ggml.tokens").strings();
  return *model == "gpt2" ? read_byte_level(file, written) : read_sentencepiece(file, written);
}

}  // namespace lookback::io
