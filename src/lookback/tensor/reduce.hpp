// SPDX-License-Identifier: MIT
// Sums and means.
#pragma once

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// The sum of all numbers, and their mean, as a scalar. A mean of nothing is 0.
Tensor sum(const Tensor& x);
Tensor mean(const Tensor& x);

/// Along one axis, which goes away. Throws RangeError for the axis.
Tensor sum(const Tensor& x, int axis);
Tensor mean(const Tensor& x, int axis);

}  // namespace lookback
