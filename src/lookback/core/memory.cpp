// SPDX-License-Identifier: MIT
// The counting buffer.
#include "lookback/core/memory.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>

#include "lookback/core/block_store.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback {

std::atomic<BlockStore*> g_block_store{nullptr};

namespace {

constexpr std::align_val_t kAlignment{64};

std::atomic<std::int64_t> g_live_bytes{0};

std::int64_t bytes_of(std::int64_t size) { return size * static_cast<std::int64_t>(sizeof(float)); }

Error too_large(std::int64_t size) {
  return Error(ErrorCode::memory, message("memory: ", size, " numbers (", size / (1 << 18), " MB) could not be had"));
}

float* allocate(std::int64_t size) {
  // Where addresses have 32 bits, a size beyond them would wrap round to a small one.
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max() / 8);
  if (static_cast<std::uint64_t>(size) > kMost) throw too_large(size);
  BlockStore* const store = g_block_store.load();
  if (float* const kept = store ? store->take(size) : nullptr) return kept;
  void* const fresh = ::operator new(static_cast<std::size_t>(bytes_of(size)), kAlignment, std::nothrow);
  if (!fresh) throw too_large(size);
  return static_cast<float*>(fresh);
}

}  // namespace

void free_block(float* block) { ::operator delete(block, kAlignment); }

std::int64_t live_bytes() { return g_live_bytes.load(); }

Buffer::Buffer(std::int64_t size, Fill fill) : data_(allocate(size)), size_(size) {
  if (fill == Fill::zero) std::fill_n(data_, size, 0.0f);
#if !defined(NDEBUG)
  // Numbers that nobody wrote show.
  if (fill == Fill::none) std::fill_n(data_, size, std::numeric_limits<float>::quiet_NaN());
#endif
  g_live_bytes += bytes_of(size_);
}

Buffer::Buffer(std::vector<float> values)
    : given_(std::move(values)), data_(given_.data()), size_(static_cast<std::int64_t>(given_.size())) {
  g_live_bytes += bytes_of(size_);
}

Buffer::~Buffer() {
  g_live_bytes -= bytes_of(size_);
  if (data_ == given_.data()) return;
  BlockStore* const store = g_block_store.load();
  if (!store || !store->keep(data_, size_)) free_block(data_);
}

float* scratch(std::int64_t size) {
  thread_local std::vector<float> room;
  if (static_cast<std::size_t>(size) > room.size()) {
    try {
      room = std::vector<float>(static_cast<std::size_t>(size));
    } catch (const std::exception&) {
      throw too_large(size);
    }
  }
  return room.data();
}

}  // namespace lookback
