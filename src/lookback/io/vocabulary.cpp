// SPDX-License-Identifier: MIT
// The checks of a vocabulary.
#include "lookback/io/vocabulary.hpp"

#include <cmath>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::io {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

void check_id(const char* name, TokenId id, TokenId size) {
  if (id != kNoToken && (id < 0 || id >= size)) {
    throw FormatError(message("vocabulary: the ", name, " token ", id, " is not one of the ", size, " tokens"));
  }
}

}  // namespace

int byte_of_piece(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return -1;
  const int high = hex_digit(piece[3]);
  const int low = hex_digit(piece[4]);
  return high < 0 || low < 0 ? -1 : 16 * high + low;
}

void Vocabulary::check() const {
  if (pieces.empty() || pieces.size() > static_cast<std::size_t>(std::numeric_limits<TokenId>::max())) {
    throw FormatError(message("vocabulary: ", pieces.size(), " tokens"));
  }
  if (scores.size() != pieces.size() || kinds.size() != pieces.size()) {
    throw FormatError(
        message("vocabulary: ", pieces.size(), " tokens, ", scores.size(), " scores and ", kinds.size(), " kinds"));
  }
  check_id("start", start, size());
  check_id("end", end, size());
  check_id("unknown", unknown, size());
  if (!is_byte_level() && !merges.empty())
    throw FormatError("vocabulary: merges belong to a byte-level vocabulary, this one merges by score");
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const auto [left, right] = merges[i];
    if (left < 0 || right < 0 || left >= size() || right >= size()) {
      throw FormatError(
          message("vocabulary: merge ", i, " joins the tokens ", left, " and ", right, ", there are ", size()));
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (std::isnan(scores[i])) throw FormatError(message("vocabulary: the score of token ", i, " is not a number"));
    if (kinds[i] == TokenKind::byte && byte_of_piece(pieces[i]) < 0) {
      throw FormatError(message("vocabulary: byte token ", i, " has no piece of the form <0x0A>"));
    }
  }
}

}  // namespace lookback::io
