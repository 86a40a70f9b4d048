// SPDX-License-Identifier: MIT
// The counting buffer.
#include "lookback/core/memory.hpp"

#include <atomic>
#include <new>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback {

namespace {
std::atomic<std::int64_t> g_live_bytes{0};

Error too_large(std::int64_t size) {
  return Error(ErrorCode::memory, message("memory: ", size, " numbers (", size / (1 << 18), " MB) could not be had"));
}

std::vector<float> zeros(std::int64_t size) {
  // Where addresses have 32 bits, a size beyond them would wrap round to a small one.
  if (static_cast<std::uint64_t>(size) > std::vector<float>().max_size()) throw too_large(size);
  try {
    return std::vector<float>(static_cast<std::size_t>(size));
  } catch (const std::exception&) {
    throw too_large(size);
  }
}

std::int64_t bytes_of(const std::vector<float>& values) {
  return static_cast<std::int64_t>(values.size() * sizeof(float));
}
}  // namespace

std::int64_t live_bytes() { return g_live_bytes.load(); }

Buffer::Buffer(std::int64_t size) : values_(zeros(size)) { g_live_bytes += bytes_of(values_); }

Buffer::Buffer(std::vector<float> values) : values_(std::move(values)) { g_live_bytes += bytes_of(values_); }

Buffer::~Buffer() { g_live_bytes -= bytes_of(values_); }

float* scratch(std::int64_t size) {
  thread_local std::vector<float> kept;
  if (static_cast<std::size_t>(size) > kept.size()) kept = zeros(size);
  return kept.data();
}

}  // namespace lookback
