// SPDX-License-Identifier: MIT
// Multi-head attention.
#include "lookback/attention/multi_head.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/layout.hpp"

namespace lookback::attention {

MultiHead multi_head(const Tensor& x, const Tensor& memory, const MultiHeadWeights& weights,
                     const MultiHeadOptions& options) {
  if (x.rank() < 2 || x.rank() > 3 || memory.rank() != x.rank()) {
    throw ShapeError(
        message("multi_head: x and memory must both be [T, D] or [B, T, D], got ", x.shape(), " and ", memory.shape()));
  }
  const std::int64_t kv_heads = options.kv_heads.value_or(options.heads);
  if (options.heads < 1 || kv_heads < 1 || options.heads % kv_heads != 0) {
    throw ShapeError(message("multi_head: ", options.heads, " query heads can't share ", kv_heads, " key/value heads"));
  }
  MultiHead result;
  Tensor joined;
  if (options.attention.capture) {
    result.query = split_heads(weights.query.forward(x), options.heads);
    result.key = split_heads(weights.key.forward(memory), kv_heads);
    result.value = split_heads(weights.value.forward(memory), kv_heads);
    result.heads = scaled_dot_product(result.query, result.key, result.value, options.attention);
    joined = merge_heads(result.heads.output);
  } else {
    ScaledDotProductOptions packed = options.attention;
    packed.heads = options.heads;
    packed.kv_heads = kv_heads;
    joined =
        scaled_dot_product(weights.query.forward(x), weights.key.forward(memory), weights.value.forward(memory), packed)
            .output;
  }
  result.output = weights.output ? weights.output->forward(joined) : joined;
  return result;
}

}  // namespace lookback::attention
