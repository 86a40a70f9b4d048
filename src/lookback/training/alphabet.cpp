// SPDX-License-Identifier: MIT
// Cutting texts, and symbols to ids and back.
#include "lookback/training/alphabet.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/seq2seq/config.hpp"

namespace lookback::training {

using models::seq2seq::kFirstSymbol;

namespace {

/// Bytes of the character that starts with this byte; 1 for a byte that starts none.
std::size_t character_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string some_of(const std::vector<std::string>& symbols) {
  constexpr std::size_t kShown = 40;
  std::string text;
  for (std::size_t i = 0; i < std::min(symbols.size(), kShown); ++i) text += (i ? " " : "") + symbols[i];
  return symbols.size() > kShown ? text + " .." : text;
}

}  // namespace

std::vector<std::string> units_of(std::string_view text, Unit unit) {
  std::vector<std::string> units;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    if (unit == Unit::character) {
      end = std::min(text.size(), i + character_bytes(text[i]));
    } else {
      while (end < text.size() && !is_space(text[end])) ++end;
    }
    if (end > i) units.emplace_back(text.substr(i, end - i));
    i = unit == Unit::character ? end : end + 1;
  }
  return units;
}

Alphabet::Alphabet(std::vector<std::string> symbols, Unit unit) : symbols_(std::move(symbols)), unit_(unit) {
  for (const std::string& symbol : symbols_) {
    const std::int64_t id = kFirstSymbol + static_cast<std::int64_t>(ids_.size());
    if (symbol.empty() || !ids_.emplace(symbol, id).second) {
      throw ValueError(message("alphabet: symbol '", symbol, "' is empty or there twice"));
    }
  }
}

std::int64_t Alphabet::vocabulary() const { return kFirstSymbol + static_cast<std::int64_t>(symbols_.size()); }

Ids Alphabet::ids_of(std::string_view text) const {
  Ids ids;
  for (const std::string& symbol : units_of(text, unit_)) {
    const auto found = ids_.find(symbol);
    if (found == ids_.end()) {
      throw ValueError(message("alphabet: '", symbol, "', number ", ids.size() + 1,
                               " of the input, is not known; known are: ", some_of(symbols_)));
    }
    ids.push_back(found->second);
  }
  return ids;
}

std::string Alphabet::text_of(const Ids& ids) const {
  std::string text;
  for (std::int64_t id : ids) {
    if (id < 0 || id >= vocabulary()) {
      throw RangeError(message("alphabet: id ", id, " is outside [0, ", vocabulary(), ")"));
    }
    if (id < kFirstSymbol) continue;
    if (unit_ == Unit::word && !text.empty()) text += ' ';
    text += symbols_[static_cast<std::size_t>(id - kFirstSymbol)];
  }
  return text;
}

}  // namespace lookback::training
