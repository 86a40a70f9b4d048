// SPDX-License-Identifier: MIT
// How much memory a session will ask for, known before any of it is allocated.
#pragma once

#include <cstdint>

#include "lookback/models/decoder/plan.hpp"

namespace lookback::models {

/// Bytes that a session needs.
struct MemoryEstimate {
  std::int64_t weights = 0;  ///< the file as it is
  std::int64_t cache = 0;    ///< keys and values of every layer for `capacity` positions
  std::int64_t scratch = 0;  ///< activations and logits for chunks of `chunk` tokens, logits of the last one only
  std::int64_t total() const { return weights + cache + scratch; }
};

/// capacity, chunk: 1 or more, capacity up to 2^24. Captured attention comes on top.
MemoryEstimate estimate_memory(const DecoderConfig& config, std::int64_t file_bytes, std::int64_t capacity,
                               std::int64_t chunk);

/// Floats that a session's kernels scribble on while they read `chunk` tokens.
std::int64_t scratch_floats(const DecoderConfig& config, std::int64_t capacity, std::int64_t chunk);

}  // namespace lookback::models
