// SPDX-License-Identifier: MIT
// Symbols of a task: characters or words, and their ids.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lookback/models/seq2seq/batch.hpp"

namespace lookback::training {

using models::seq2seq::Ids;

/// What a text is cut into.
enum class Unit {
  character,  ///< each UTF-8 character
  word,       ///< runs of anything but spaces
};

std::vector<std::string> units_of(std::string_view text, Unit unit);

/// Symbol i has id kFirstSymbol + i: padding, start and end stand before.
class Alphabet {
 public:
  /// In this order; throws ValueError for an empty or repeated symbol.
  Alphabet(std::vector<std::string> symbols, Unit unit);

  std::int64_t vocabulary() const;
  Unit unit() const { return unit_; }
  const std::vector<std::string>& symbols() const { return symbols_; }
  bool has(const std::string& symbol) const { return ids_.contains(symbol); }

  /// Throws ValueError naming the first symbol that is not there, its place, and what there is.
  Ids ids_of(std::string_view text) const;
  /// Padding, start and end add nothing. Throws RangeError for other ids outside the vocabulary.
  std::string text_of(const Ids& ids) const;

 private:
  std::vector<std::string> symbols_;
  std::map<std::string, std::int64_t> ids_;
  Unit unit_;
};

}  // namespace lookback::training
