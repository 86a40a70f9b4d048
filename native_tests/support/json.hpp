// SPDX-License-Identifier: MIT
// Just enough JSON to read golden files in tests: values, look-ups, numbers as arrays. Bad input throws.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lookback::test {

class Json {
 public:
  static Json parse(std::string_view text) {
    Json value = parse_value(text);
    skip_space(text);
    if (!text.empty()) throw std::runtime_error("json: text after the end");
    return value;
  }

  static Json read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("json: no file " + path);
    std::ostringstream text;
    text << stream.rdbuf();
    return parse(text.str());
  }

  const Json& operator[](const std::string& key) const& { return members_.at(key); }
  const Json& operator[](std::size_t index) const& { return items_.at(index); }
  std::size_t size() const { return items_.size(); }
  const std::vector<Json>& items() const& { return items_; }
  // Views into a document that is about to go.
  const Json& operator[](const std::string& key) const&& = delete;
  const Json& operator[](std::size_t index) const&& = delete;
  const std::vector<Json>& items() const&& = delete;
  double number() const { return number_; }
  const std::string& text() const { return text_; }

  /// The elements of an array of numbers.
  template <typename Number>
  std::vector<Number> numbers() const {
    std::vector<Number> result;
    for (const Json& item : items_) result.push_back(static_cast<Number>(item.number_));
    return result;
  }

 private:
  static void skip_space(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  }

  static char take(std::string_view& text) {
    if (text.empty()) throw std::runtime_error("json: unexpected end");
    const char c = text.front();
    text.remove_prefix(1);
    return c;
  }

  static void expect(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) throw std::runtime_error("json: expected " + std::string(word));
    text.remove_prefix(word.size());
  }

  static Json parse_value(std::string_view& text) {
    skip_space(text);
    if (text.starts_with('{')) return parse_object(text);
    if (text.starts_with('[')) return parse_array(text);
    Json value;
    if (text.starts_with('"'))
      value.text_ = parse_text(text);
    else if (text.starts_with('t'))
      expect(text, "true");
    else if (text.starts_with('f'))
      expect(text, "false");
    else if (text.starts_with('n'))
      expect(text, "null");
    else
      value.number_ = parse_number(text);
    return value;
  }

  static double parse_number(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
    std::size_t used = 0;
    const double number = std::stod(std::string(text.substr(0, end)), &used);
    text.remove_prefix(used);
    return number;
  }

  static Json parse_array(std::string_view& text) {
    Json value;
    expect(text, "[");
    skip_space(text);
    if (text.starts_with(']')) return expect(text, "]"), value;
    do {
      value.items_.push_back(parse_value(text));
      skip_space(text);
    } while (continues(text, ']'));
    return value;
  }

  static Json parse_object(std::string_view& text) {
    Json value;
    expect(text, "{");
    skip_space(text);
    if (text.starts_with('}')) return expect(text, "}"), value;
    do {
      skip_space(text);
      std::string key = parse_text(text);
      skip_space(text);
      expect(text, ":");
      value.members_.emplace(std::move(key), parse_value(text));
      skip_space(text);
    } while (continues(text, '}'));
    return value;
  }

  static bool continues(std::string_view& text, char end) {
    const char c = take(text);
    if (c != ',' && c != end) throw std::runtime_error("json: expected a comma or an end");
    return c == ',';
  }

  static std::string parse_text(std::string_view& text) {
    expect(text, "\"");
    std::string result;
    for (char c = take(text); c != '"'; c = take(text)) {
      if (c != '\\')
        result += c;
      else
        result += parse_escape(text);
    }
    return result;
  }

  static std::string parse_escape(std::string_view& text) {
    const char c = take(text);
    const std::map<char, char> plain = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'}, {'b', '\b'}, {'f', '\f'}};
    if (plain.contains(c)) return {plain.at(c)};
    if (c != 'u') return {c};
    unsigned code = parse_unit(text);
    if (code >= 0xD800 && code < 0xDC00) {
      expect(text, "\\u");
      code = 0x10000 + ((code - 0xD800) << 10) + (parse_unit(text) - 0xDC00);
    }
    return utf8(code);
  }

  static unsigned parse_unit(std::string_view& text) {
    std::string digits;
    for (int i = 0; i < 4; ++i) digits += take(text);
    return static_cast<unsigned>(std::stoul(digits, nullptr, 16));
  }

  static std::string utf8(unsigned code) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80u | ((code >> shift) & 0x3Fu)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0u | code >> 6), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0u | code >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0u | code >> 18), tail(12), tail(6), tail(0)};
  }

  std::map<std::string, Json> members_;
  std::vector<Json> items_;
  std::string text_;
  double number_ = 0.0;
};

}  // namespace lookback::test
