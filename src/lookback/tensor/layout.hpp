// SPDX-License-Identifier: MIT
// Ops that move elements without changing them.
#pragma once

#include <vector>

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// Axes exchanged; negative axes count from the end. Throws RangeError.
Tensor transpose(const Tensor& x, int axis_a, int axis_b);

/// Joined along an axis, in order. Throws ShapeError when the other extents differ, or when there is nothing to join.
Tensor concat(const std::vector<Tensor>& parts, int axis);

/// Elements [start, stop) of an axis. Throws RangeError outside 0 <= start <= stop <= extent.
Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop);

/// [.., T, H * K] -> [.., H, T, K]. Throws ShapeError naming both numbers when the heads do not divide the width.
Tensor split_heads(const Tensor& x, std::int64_t heads);

/// [.., H, T, K] -> [.., T, H * K], the inverse of split_heads.
Tensor merge_heads(const Tensor& x);

}  // namespace lookback
