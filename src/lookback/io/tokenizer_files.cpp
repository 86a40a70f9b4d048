// SPDX-License-Identifier: MIT
// Vocabularies out of llama2.c's files.
#include "lookback/io/tokenizer_files.hpp"

#include <algorithm>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/io/byte_reader.hpp"
#include "lookback/io/byte_writer.hpp"
#include "lookback/io/content.hpp"
#include "lookback/io/spm_tokenizer.hpp"
#include "lookback/io/visible_space.hpp"

namespace lookback::io {

namespace {

constexpr std::uint64_t kLeastToken = 8;  // score and length

/// llama2.c's converter writes the start token as "\n<s>\n".
std::string without_line_ends(std::string_view name) {
  if (name.size() > 2 && name.front() == '\n' && name.back() == '\n') name = name.substr(1, name.size() - 2);
  return std::string(name);
}

TokenKind llama2c_kind(TokenId id, const std::string& piece) {
  if (id == kLlamaUnknown) return TokenKind::unknown;
  if (id == kLlamaStart || id == kLlamaEnd) return TokenKind::control;
  return byte_of_piece(piece) >= 0 ? TokenKind::byte : TokenKind::normal;
}

}  // namespace

std::unique_ptr<Tokenizer> read_tokenizer_file(std::span<const std::byte> bytes) {
  check_is_data("tokenizer file", bytes);
  ByteReader reader("tokenizer file", bytes);
  if (reader.number<std::int32_t>("longest piece") < 0) reader.fail("the length of the longest piece is negative");
  Vocabulary vocabulary;
  vocabulary.start = kLlamaStart;
  vocabulary.end = kLlamaEnd;
  vocabulary.unknown = kLlamaUnknown;
  while (!reader.at_end()) {
    reader.check_count(1, kLeastToken, "token");
    const auto score = reader.number<float>("score");
    const auto length = reader.number<std::int32_t>("length");
    if (length < 0) reader.fail(message("token ", vocabulary.size(), " has length ", length));
    const auto written = reader.text(static_cast<std::uint64_t>(length), "piece");
    const TokenId id = vocabulary.size();
    const std::string piece = id == kLlamaStart || id == kLlamaEnd ? without_line_ends(written) : std::string(written);
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
