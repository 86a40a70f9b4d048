// SPDX-License-Identifier: MIT
// How prepared rows of activations lie. Internal.
#pragma once

#include <cstdint>

#include "lookback/kernels/quantised.hpp"

namespace lookback::kernels {

/// Blocks whose scales are read together.
inline constexpr int kScaleGroup = 4;

/// Scales of a prepared row: whole groups, those beyond its blocks 0.
inline std::int64_t padded_blocks(std::int64_t blocks) {
  return (blocks + kScaleGroup - 1) / kScaleGroup * kScaleGroup;
}

/// Byte forms change what is multiplied, so that one factor is at least 0, and keep what is then missing from each
/// block's sum as its offset:
///   signed_bytes  where x is negative, w x = |x| (-w - 1) + |x|: flipped bits of w, and the sum of those |x|
///   bytes         (n - 8) x with n the 4 bits of the file: -8 times the sum of x
inline bool has_offsets(Form form) { return form == Form::signed_bytes || form == Form::bytes; }

/// A prepared row begins with the scales of its blocks, and as many offsets where there are any.
inline std::int64_t numbers_begin(std::int64_t blocks, Form form) {
  return padded_blocks(blocks) * (has_offsets(form) ? 2 : 1);
}

/// Bytes of a block's numbers. Signed bytes: 32 magnitudes, then 32 masks, all bits set where x is negative.
constexpr std::int64_t block_numbers_bytes(Form form) {
  switch (form) {
    case Form::int16:
    case Form::signed_bytes: return 2 * kBlockSize;
    case Form::two_int16: return 4 * kBlockSize;
    case Form::bytes: return kBlockSize;
  }
  return 0;
}

}  // namespace lookback::kernels
