// SPDX-License-Identifier: MIT
// Sums over a plan's tensors.
#include "lookback/models/decoder/memory_estimate.hpp"

#include <algorithm>

#include "lookback/kernels/cached_attention.hpp"
#include "lookback/kernels/linear.hpp"

namespace lookback::models {

MemoryEstimate estimate_memory(const DecoderConfig& config, std::int64_t file_bytes, std::int64_t capacity,
                               std::int64_t chunk) {
  constexpr auto float_bytes = static_cast<std::int64_t>(sizeof(float));
  MemoryEstimate estimate;
  estimate.weights = file_bytes;
  for (const auto& tensor : make_plan(config).tensors) {
    const std::int64_t row = tensor.cols * float_bytes;
    if (tensor.rows == Rows::capacity)
      estimate.cache += row * capacity;
    else
      estimate.scratch += tensor.rows == Rows::chunk ? row * chunk : row;
  }
  estimate.scratch += float_bytes * scratch_floats(config, capacity, chunk);
  return estimate;
}

std::int64_t scratch_floats(const DecoderConfig& config, std::int64_t capacity, std::int64_t chunk) {
  kernels::CachedAttentionSizes sizes;
  sizes.head_dim = config.head_dim;
  sizes.position = capacity;
  const std::int64_t widest = std::max({config.width, config.feed_forward, config.heads * config.head_dim});
  return std::max(kernels::linear_scratch(chunk, widest), kernels::cached_attention_scratch(sizes));
}

}  // namespace lookback::models
