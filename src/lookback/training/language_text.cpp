// SPDX-License-Identifier: MIT
// Documents, shuffled and joined.
#include "lookback/training/language_text.hpp"

#include <numeric>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/random.hpp"

namespace lookback::training {

namespace {

constexpr std::string_view kSeparator = "<|endoftext|>";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

}  // namespace

std::vector<std::string_view> split_documents(std::string_view text) {
  std::vector<std::string_view> documents;
  while (!text.empty()) {
    const std::size_t end = text.find(kSeparator);
    if (const std::string_view document = trimmed(text.substr(0, end)); !document.empty())
      documents.push_back(document);
    if (end == std::string_view::npos) break;
    text = text.substr(end + kSeparator.size());
  }
  return documents;
}

Document tokenised(const io::Tokenizer& tokenizer, std::string_view text) {
  return {tokenizer.encode(text, {.add_start = false}), static_cast<std::int64_t>(text.size())};
}

std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

PackedRows::PackedRows(std::vector<Document> documents, io::TokenId separator, std::int64_t length, std::uint64_t seed)
    : documents_(std::move(documents)), separator_(separator), length_(length), seed_(seed) {
  for (const Document& document : documents_) num_tokens_ += static_cast<std::int64_t>(document.ids.size()) + 1;
  if (length < 1) throw ValueError(message("rows: length must be 1 or more, got ", length));
  if (num_tokens_ <= length) {
    throw ValueError(message("rows: ", documents_.size(), " documents with ", num_tokens_,
                             " tokens do not fill one row of ", length, " + 1"));
  }
}

void PackedRows::shuffle(std::int64_t epoch) {
  std::vector<std::size_t> order(documents_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(mixed_seed(seed_, static_cast<std::uint64_t>(epoch)));
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  }
  stream_.clear();
  for (const std::size_t i : order) {
    stream_.push_back(separator_);
    stream_.insert(stream_.end(), documents_[i].ids.begin(), documents_[i].ids.end());
  }
  epoch_ = epoch;
}

std::vector<std::int64_t> PackedRows::next() {
  const std::int64_t epoch = position_ / rows_per_epoch();
  if (epoch != epoch_) shuffle(epoch);
  const auto start = stream_.begin() + static_cast<std::ptrdiff_t>(position_ % rows_per_epoch() * length_);
  ++position_;
  return {start, start + static_cast<std::ptrdiff_t>(length_) + 1};
}

void PackedRows::seek(std::int64_t position) {
  if (position < 0) throw RangeError(message("rows: position ", position, " is negative"));
  position_ = position;
}

}  // namespace lookback::training
