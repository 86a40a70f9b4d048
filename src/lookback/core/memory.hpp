// SPDX-License-Identifier: MIT
// A float buffer that counts its bytes, so that a page can show what is alive.
#pragma once

#include <cstdint>
#include <vector>

namespace lookback {

/// Bytes held by all live Buffers of this process (or wasm instance).
std::int64_t live_bytes();

/// Owns `size` floats, zero at first. Throws Error(memory) when they can't be had.
class Buffer {
 public:
  explicit Buffer(std::int64_t size);
  explicit Buffer(std::vector<float> values);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }

 private:
  std::vector<float> values_;
};

/// Room for `size` floats that a kernel may scribble on, until this thread's next call. Kept from call to call, so that
/// small products do not pay for memory; not counted by live_bytes(). Throws Error(memory).
float* scratch(std::int64_t size);

}  // namespace lookback
