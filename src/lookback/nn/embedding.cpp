// SPDX-License-Identifier: MIT
// Token embedding.
#include "lookback/nn/embedding.hpp"

#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/matmul.hpp"

namespace lookback::nn {

Tensor Embedding::forward(const std::vector<std::int64_t>& ids) const { return gather_rows(table, ids); }

Tensor Embedding::tied_logits(const Tensor& hidden) const {
  return matmul(hidden, table, {.transpose_a = false, .transpose_b = true});
}

}  // namespace lookback::nn
