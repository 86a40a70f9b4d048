// SPDX-License-Identifier: MIT
// Checkpoints of karpathy/llama2.c, version 0: seven integers, then f32 weights in a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lookback/io/model_file.hpp"

namespace lookback::io {

/// The header. All counts are 1 or more; heads divides width, kv_heads divides heads.
struct Llama2cHeader {
  std::int32_t width = 0;
  std::int32_t feed_forward = 0;
  std::int32_t layers = 0;
  std::int32_t heads = 0;
  std::int32_t kv_heads = 0;
  std::int32_t vocabulary = 0;  ///< without the sign, which in the file is negative for a separate output
  std::int32_t context = 0;
  bool separate_output = false;
};

/// True when the first 28 bytes are a plausible header, or the magic number of the later versions.
bool is_llama2c(std::span<const std::byte> bytes);

/// Reads a checkpoint; the result borrows from `bytes`. The file has no names of its own: its numbers get the keys and
/// tensor names of GGUF's llama architecture, so that one loader reads both. The two tables of rotary angles are
/// skipped. Throws FormatError for an impossible header or when the length is not exactly what the header asks for
/// (both numbers named), UnsupportedError for versions 1 and 2.
ModelContents read_llama2c(std::span<const std::byte> bytes);

/// Values of one tensor by its GGUF name ("blk.0.attn_q.weight").
using TensorSource = std::function<std::vector<float>(const std::string& name)>;

/// Writes a version 0 checkpoint. Throws ShapeError when a tensor has another number of values than the header asks
/// for.
std::vector<std::byte> write_llama2c(const Llama2cHeader& header, const TensorSource& tensor);

}  // namespace lookback::io
