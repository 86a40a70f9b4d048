// SPDX-License-Identifier: MIT
// The alternatives of the regular expressions, by hand. Each function gives the bytes it matches at the front, or 0.
#include "lookback/io/pre_tokenizer.hpp"

#include <algorithm>

namespace lookback::io {

namespace {

constexpr std::size_t kMostDigits = 3;
constexpr std::string_view kLongS = "\xC5\xBF";  // U+017F, an s when case doesn't count

bool is_line_end(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == '\r' || text[at] == '\n');
}

/// 's|'t|'re|'ve|'m|'ll|'d
std::size_t contraction(std::string_view text, bool ignores_case) {
  if (!text.starts_with('\'')) return 0;
  if (ignores_case && text.substr(1).starts_with(kLongS)) return 1 + kLongS.size();
  const auto letter = [&](std::size_t at) {
    const char c = at < text.size() ? text[at] : '\0';
    return ignores_case ? static_cast<char>(c | 0x20) : c;
  };
  const char a = letter(1);
  const char b = letter(2);
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
  return ((a == 'r' || a == 'v') && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}

}  // namespace

struct PreTokenizer::Matcher {
  const UnicodeClasses& classes;
  std::string_view text;
  bool has_single_numbers;

  Character at(std::size_t position) const { return classes.at(text, position); }

  /// Where the run of a class that begins at `begin` ends.
  std::size_t run_end(std::size_t begin, CharacterClass kind, std::size_t most = std::string_view::npos) const {
    std::size_t end = begin;
    for (Character c = at(end); c.kind == kind && most > 0; c = at(end), --most) end += c.size;
    return end;
  }

  /// \s+(?!\S)|\s+
  std::size_t spaces() const {
    std::size_t last = 0;
    std::size_t end = 0;
    for (Character c = at(0); c.kind == CharacterClass::space; c = at(end)) {
      last = end;
      end += c.size;
    }
    const CharacterClass next = at(end).kind;
    const bool at_end = next == CharacterClass::end || (has_single_numbers && next == CharacterClass::number);
    return at_end || last == 0 ? end : last;
  }

  std::size_t gpt2() const {
    if (const std::size_t size = contraction(text, false)) return size;
    const Character first = at(0);
    if (has_single_numbers && first.kind == CharacterClass::number) return first.size;
    const std::size_t begin = text.starts_with(' ') ? 1 : 0;
    const CharacterClass kind = at(begin).kind;
    const bool is_alone = has_single_numbers && kind == CharacterClass::number;
    return kind >= CharacterClass::space || is_alone ? spaces() : run_end(begin, kind);
  }

  /// \s*[\r\n]+
  std::size_t line_ends() const {
    const std::size_t end = run_end(0, CharacterClass::space);
    return text.substr(0, end).find_last_of("\r\n") + 1;
  }

  std::size_t llama3() const {
    if (const std::size_t size = contraction(text, true)) return size;
    const Character first = at(0);
    if (first.kind == CharacterClass::number) return run_end(0, first.kind, kMostDigits);
    const bool has_lead = first.kind != CharacterClass::letter && !is_line_end(text, 0);
    const std::size_t letters = has_lead ? first.size : 0;
    if (at(letters).kind == CharacterClass::letter) return run_end(letters, CharacterClass::letter);
    const std::size_t others = text.starts_with(' ') ? 1 : 0;
    if (at(others).kind == CharacterClass::other) {
      std::size_t end = run_end(others, CharacterClass::other);
      while (is_line_end(text, end)) ++end;
      return end;
    }
    const std::size_t size = line_ends();
    return size != 0 ? size : spaces();
  }
};

std::size_t PreTokenizer::first_part(std::string_view text) const {
  if (text.empty()) return 0;
  const Matcher matcher{classes_, text, split_ == TextSplit::smollm};
  return split_ == TextSplit::llama3 ? matcher.llama3() : matcher.gpt2();
}

std::vector<std::string_view> PreTokenizer::split(std::string_view text) const {
  std::vector<std::string_view> parts;
  for (std::size_t size = first_part(text); size != 0; size = first_part(text)) {
    parts.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return parts;
}

}  // namespace lookback::io
