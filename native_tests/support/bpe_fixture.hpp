// SPDX-License-Identifier: MIT
// Byte-level vocabularies for tests: a few merges by hand, and the one of fixtures/bpe_tokenizer.json.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lookback/io/byte_level.hpp"
#include "lookback/io/vocabulary.hpp"
#include "support/files.hpp"
#include "support/json.hpp"

namespace lookback::test {

/// The 256 bytes with their own numbers as ids, then one token a merge, with ids from 256.
inline io::Vocabulary vocabulary_of(const std::vector<std::pair<std::string, std::string>>& merges) {
  io::Vocabulary v;
  v.split = io::TextSplit::gpt2;
  v.add_space_prefix = false;
  for (int byte = 0; byte < 256; ++byte) v.pieces.emplace_back(1, static_cast<char>(byte));
  const auto id_of = [&](const std::string& piece) {
    const auto found = std::find(v.pieces.begin(), v.pieces.end(), piece);
    return static_cast<io::TokenId>(found - v.pieces.begin());
  };
  for (const auto& [left, right] : merges) {
    v.merges.push_back({id_of(left), id_of(right)});
    if (id_of(left + right) == v.size()) v.pieces.push_back(left + right);
  }
  v.scores.assign(v.pieces.size(), 0.0f);
  v.kinds.assign(v.pieces.size(), io::TokenKind::normal);
  return v;
}

/// What Hugging Face's tokenizers learned from fixtures/bpe.txt: bytes in their order, merges, "<|endoftext|>" as a
/// control token and "<name>" as a user-defined one.
inline io::Vocabulary fixture_vocabulary(io::TextSplit split) {
  const Json file = Json::read(fixture_path("bpe_tokenizer.json"));
  io::Vocabulary v;
  v.split = split;
  v.ignore_merges = split == io::TextSplit::llama3;
  v.add_space_prefix = false;
  for (int character = 33; character < 324; ++character) {
    std::string written(1, static_cast<char>(character));
    if (character >= 128) {
      written = {static_cast<char>(0xC0 | character >> 6), static_cast<char>(0x80 | (character & 0x3F))};
    }
    if (const auto bytes = io::read_bytes(written)) v.pieces.push_back(*bytes);
  }
  const auto id_of = [&](const std::string& written) {
    const auto found = std::find(v.pieces.begin(), v.pieces.end(), *io::read_bytes(written));
    return static_cast<io::TokenId>(found - v.pieces.begin());
  };
  for (const Json& merge : file["model"]["merges"].items()) {
    v.merges.push_back({id_of(merge[0].text()), id_of(merge[1].text())});
    v.pieces.push_back(*io::read_bytes(merge[0].text() + merge[1].text()));
  }
  v.kinds.assign(v.pieces.size(), io::TokenKind::normal);
  v.pieces.push_back("<|endoftext|>");
  v.kinds.push_back(io::TokenKind::control);
  v.pieces.push_back("<name>");
  v.kinds.push_back(io::TokenKind::user_defined);
  v.scores.assign(v.pieces.size(), 0.0f);
  v.start = v.end = v.size() - 2;
  v.add_start = false;
  return v;
}

}  // namespace lookback::test
