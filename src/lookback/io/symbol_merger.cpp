// SPDX-License-Identifier: MIT
// The linked list and the heap.
#include "lookback/io/symbol_merger.hpp"

namespace lookback::io {

namespace {
constexpr std::int32_t kNone = -1;
}

void SymbolMerger::add(std::size_t size, TokenId id) {
  const auto index = static_cast<std::int32_t>(symbols_.size());
  const std::size_t begin = symbols_.empty() ? 0 : symbols_.back().begin + symbols_.back().size;
  if (index > 0) symbols_.back().next = index;
  symbols_.push_back({begin, size, id, index - 1, kNone});
}

void SymbolMerger::offer(std::int32_t left, std::int32_t right) {
  if (left == kNone || right == kNone) return;
  const Symbol& a = symbol(left);
  const Symbol& b = symbol(right);
  const Join joined = join(a, b);
  if (joined.id != kNoToken) pairs_.push({joined.score, left, right, a.size + b.size, joined.id});
}

void SymbolMerger::merge_all() {
  for (std::size_t i = 1; i < symbols_.size(); ++i)
    offer(static_cast<std::int32_t>(i - 1), static_cast<std::int32_t>(i));
  while (!pairs_.empty()) {
    const Pair pair = pairs_.top();
    pairs_.pop();
    Symbol& left = symbol(pair.left);
    Symbol& right = symbol(pair.right);
    const bool is_stale = left.size == 0 || right.size == 0 || left.size + right.size != pair.size;
    if (is_stale) continue;
    left.size = pair.size;
    left.id = pair.id;
    right.size = 0;
    left.next = right.next;
    if (right.next != kNone) symbol(right.next).previous = pair.left;
    offer(left.previous, pair.left);
    offer(pair.left, left.next);
  }
}

}  // namespace lookback::io
