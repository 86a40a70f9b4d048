// SPDX-License-Identifier: MIT
// Bahdanau's attention as a decoder uses it, step by step: one query an item, keys projected once a sentence.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

struct AdditiveLookup {
  Tensor weights;  ///< [B, S]; 0 beyond an item's length
  Tensor context;  ///< [B, D]; zeros for an item of length 0
};

/// weights = softmax(v_a . tanh(query W_a + keys U_a)), context = weights values, in one op.
/// projected_query [B, N] = query W_a, projected_keys [B, S, N] = keys U_a, vector [N] = v_a, values [B, S, D];
/// lengths [B], each from 0 to S, are the items' true numbers of keys; empty: all are S. What lies beyond is not read.
/// Throws ShapeError naming the shapes that disagree, RangeError naming a length.
/// Bahdanau, Cho, Bengio, "Neural Machine Translation by Jointly Learning to Align and Translate", 2015, section 3.1.
AdditiveLookup additive_lookup(const Tensor& projected_query, const Tensor& projected_keys, const Tensor& vector,
                               const Tensor& values, const std::vector<std::int64_t>& lengths = {});

}  // namespace lookback::attention
