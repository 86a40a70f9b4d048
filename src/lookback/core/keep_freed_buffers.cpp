// SPDX-License-Identifier: MIT
// Freed blocks by size.
#include <map>
#include <mutex>
#include <vector>

#include "lookback/core/block_store.hpp"
#include "lookback/core/memory.hpp"

namespace lookback {

namespace {

std::int64_t bytes_of(std::int64_t size) { return size * static_cast<std::int64_t>(sizeof(float)); }

class FreedBlocks : public BlockStore {
 public:
  float* take(std::int64_t size) override {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(size);
    if (found == blocks_.end() || found->second.empty()) return nullptr;
    float* const block = found->second.back();
    found->second.pop_back();
    bytes_ -= bytes_of(size);
    return block;
  }

  bool keep(float* block, std::int64_t size) override {
    const std::lock_guard lock(mutex_);
    if (keepers_ == 0 || bytes_ + bytes_of(size) > max_bytes_) return false;
    blocks_[size].push_back(block);
    bytes_ += bytes_of(size);
    return true;
  }

  void start(std::int64_t max_bytes) {
    const std::lock_guard lock(mutex_);
    max_bytes_ = keepers_ == 0 ? max_bytes : std::max(max_bytes_, max_bytes);
    ++keepers_;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    if (--keepers_ > 0) return;
    for (const auto& [size, blocks] : blocks_) {
      for (float* block : blocks) free_block(block);
    }
    blocks_.clear();
    bytes_ = 0;
  }

 private:
  std::mutex mutex_;
  std::map<std::int64_t, std::vector<float*>> blocks_;
  std::int64_t bytes_ = 0;
  std::int64_t max_bytes_ = 0;
  int keepers_ = 0;
};

FreedBlocks& freed_blocks() {
  static FreedBlocks instance;
  return instance;
}

}  // namespace

KeepFreedBuffers::KeepFreedBuffers(std::int64_t max_bytes) {
  freed_blocks().start(max_bytes);
  g_block_store = &freed_blocks();
}

KeepFreedBuffers::~KeepFreedBuffers() { freed_blocks().stop(); }

}  // namespace lookback
