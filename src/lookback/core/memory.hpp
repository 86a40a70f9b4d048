// SPDX-License-Identifier: MIT
// A float buffer that counts its bytes, so that a page can show what is alive, and freed blocks that are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lookback {

/// Bytes held by all live Buffers of this process (or wasm instance).
std::int64_t live_bytes();

enum class Fill {
  zero,
  none,  ///< whatever the memory holds: for those who overwrite all of it
};

/// Owns `size` floats, aligned to 64 bytes unless they were given. Throws Error(memory) when they can't be had.
class Buffer {
 public:
  explicit Buffer(std::int64_t size, Fill fill = Fill::zero);
  explicit Buffer(std::vector<float> values);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  float* data() { return data_; }
  const float* data() const { return data_; }
  std::int64_t size() const { return size_; }

 private:
  std::vector<float> given_;
  float* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// While one lives, the blocks of Buffers that end are kept, up to `max_bytes` in all, and handed to the next Buffer of
/// the same size: a training step needs the same sizes as the step before. The end of the last one gives the
/// blocks back. Kept blocks are not counted by live_bytes().
class KeepFreedBuffers {
 public:
  explicit KeepFreedBuffers(std::int64_t max_bytes = std::int64_t{1} << 28);
  ~KeepFreedBuffers();
  KeepFreedBuffers(const KeepFreedBuffers&) = delete;
  KeepFreedBuffers& operator=(const KeepFreedBuffers&) = delete;
};

/// Room for `size` floats that a kernel may scribble on, until this thread's next call. Kept from call to call, so that
/// small products do not pay for memory; not counted by live_bytes(). Throws Error(memory).
float* scratch(std::int64_t size);

}  // namespace lookback
