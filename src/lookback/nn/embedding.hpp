// SPDX-License-Identifier: MIT
// Token embedding.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/tensor/tensor.hpp"

namespace lookback::nn {

/// A row of the table for each token id.
struct Embedding {
  Tensor table;  ///< [V, D]

  /// ids [T] -> [T, D]. Throws RangeError naming the id and V.
  Tensor forward(const std::vector<std::int64_t>& ids) const;
  /// Logits of hidden [.., D] against every row, the output layer of a model with tied weights: hidden table^T [.., V].
  Tensor tied_logits(const Tensor& hidden) const;
};

}  // namespace lookback::nn
