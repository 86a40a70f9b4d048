// SPDX-License-Identifier: MIT
// Softmax of tensors along an axis.
#pragma once

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// exp(x / temperature) normalised along `axis`; the maximum is taken out first. Entries of -infinity get exactly 0,
/// and a row of nothing else gives zeros. Throws ValueError unless temperature is above 0 and finite, RangeError for
/// the axis.
Tensor softmax(const Tensor& x, int axis = -1, float temperature = 1.0f);

/// log(softmax(x)) along `axis` in the form that does not lose small probabilities.
Tensor log_softmax(const Tensor& x, int axis = -1);

/// All weight on the highest entry of the last axis, the lowest index on a tie; rows of -infinity only give zeros.
/// The limit of softmax as the temperature goes to 0; a tape takes it as constant,
/// since its gradient is 0 wherever it exists.
Tensor hard_max(const Tensor& x);

}  // namespace lookback
