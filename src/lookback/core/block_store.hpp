// SPDX-License-Identifier: MIT
// Where Buffers get their memory while freed blocks are kept; an interface, so that only programs that keep link it.
#pragma once

#include <atomic>
#include <cstdint>

namespace lookback {

class BlockStore {
 public:
  virtual ~BlockStore() = default;
  /// A kept block of exactly `size` floats, or null.
  virtual float* take(std::int64_t size) = 0;
  /// False when the block is not wanted.
  virtual bool keep(float* block, std::int64_t size) = 0;
};

/// Null: blocks are allocated and freed.
extern std::atomic<BlockStore*> g_block_store;

void free_block(float* block);

}  // namespace lookback
