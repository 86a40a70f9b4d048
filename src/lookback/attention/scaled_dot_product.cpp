// SPDX-License-Identifier: MIT
// Scaled dot-product attention. Grouped heads need no copies: the query heads that share a key head are laid one after
// another along T, [.., G, (H/G) T, K], and one product serves them all.
#include "lookback/attention/scaled_dot_product.hpp"

#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/fused_attention.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/softmax.hpp"

namespace lookback::attention {

namespace {

std::string shapes_of(const Tensor& q, const Tensor& k, const Tensor& v) {
  return message("query ", q.shape(), ", key ", k.shape(), ", value ", v.shape());
}

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto fail = [&](const char* rule) {
    throw ShapeError(message("scaled_dot_product: ", rule, ": ", shapes_of(q, k, v)));
  };
  if (q.rank() < 2 || q.rank() > 4 || k.rank() != q.rank() || v.rank() != q.rank())
    fail("needs three arrays of the same rank, 2 to 4");
  if (q.dim(-1) != k.dim(-1)) fail("query and key must have the same width K");
  if (k.dim(-2) != v.dim(-2)) fail("key and value must have the same length S");
  if (q.rank() >= 3 && k.dim(-3) != v.dim(-3)) fail("key and value must have the same number of heads");
  if (q.rank() >= 3 && (k.dim(-3) == 0 || q.dim(-3) % k.dim(-3) != 0))
    fail("the key heads must divide the query heads");
  if (q.rank() == 4 && (q.dim(0) != k.dim(0) || q.dim(0) != v.dim(0))) fail("the batches must be equal");
}

/// Heads that share a key head side by side along T: [.., H, T, K] -> [.., G, (H/G) T, K].
Tensor grouped(const Tensor& x, const Tensor& key) {
  if (x.rank() < 3 || x.dim(-3) == key.dim(-3)) return x;
  const std::int64_t groups = key.dim(-3);
  return x.reshape(x.shape().without_last(3).appended({groups, x.dim(-3) / groups * x.dim(-2), x.dim(-1)}));
}

/// The inverse for scores and outputs, [.., G, (H/G) T, N] -> [.., H, T, N].
Tensor ungrouped(const Tensor& x, const Tensor& query) {
  return x.reshape(query.shape().without_last(1).appended({x.dim(-1)}));
}

float checked_scale(const ScaledDotProductOptions& options, std::int64_t head_dim) {
  const float scale = options.scale.value_or(head_dim ? 1.0f / std::sqrt(static_cast<float>(head_dim)) : 1.0f);
  if (!std::isfinite(scale)) throw ValueError(message("scaled_dot_product: scale must be finite, got ", scale));
  return scale;
}

Tensor with_past(const char* name, const std::optional<Tensor>& past, const Tensor& current) {
  if (!past) return current;
  if (current.rank() < 2) return current;  // refused by check_shapes, which names all three
  if (past->rank() != current.rank() || past->shape().with(-2, 0) != current.shape().with(-2, 0)) {
    throw ShapeError(message("scaled_dot_product: ", name, " ", past->shape(), " must fit the new ", current.shape(),
                             " in all but their number"));
  }
  return concat({*past, current}, -2);
}

/// The output alone, a head at a time.
Tensor fused(const Tensor& query, const Tensor& key, const Tensor& value, const ScaledDotProductOptions& options) {
  if (options.soft_cap) check_soft_cap(*options.soft_cap);
  const Shape scores = query.shape().with(-1, key.dim(-2));
  TensorBuilder output(query.shape().with(-1, value.dim(-1)));
  kernels::AttentionHead head;
  head.queries = query.dim(-2);
  head.query_stride = head.head_dim = query.dim(-1);
  head.key_stride = key.dim(-1);
  head.value_stride = head.value_dim = head.output_stride = value.dim(-1);
  head.scale = checked_scale(options, head.head_dim);
  head.soft_cap = options.soft_cap.value_or(0.0f);
  const std::int64_t heads = query.rank() >= 3 ? query.dim(-3) : 1;
  const std::int64_t heads_per_key = query.rank() >= 3 ? heads / key.dim(-3) : 1;
  const std::int64_t total = scores.without_last(2).num_elements();
  float* room = scratch(kernels::fused_attention_scratch(head.head_dim, head.value_dim));
  for (std::int64_t h = 0; h < total; ++h) {
    head.query = query.data() + h * head.queries * head.head_dim;
    head.key = key.data() + h / heads_per_key * key.dim(-2) * key.dim(-1);
    head.value = value.data() + h / heads_per_key * value.dim(-2) * value.dim(-1);
    head.output = output.data() + h * head.queries * head.value_dim;
    head.visible = options.positions.visible(scores, h / heads);
    head.mask = options.mask.rows(scores, h);
    kernels::fused_attention(head, room);
  }
  return std::move(output).build();
}

}  // namespace

ScaledDotProduct scaled_dot_product(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const ScaledDotProductOptions& options) {
  if (options.past_key.has_value() != options.past_value.has_value()) {
    throw ShapeError("scaled_dot_product: past keys and past values come together");
  }
  ScaledDotProduct result;
  result.present_key = with_past("past_key", options.past_key, key);
  result.present_value = with_past("past_value", options.past_value, value);
  check_shapes(query, result.present_key, result.present_value);

  if (!options.capture) {
    result.output = fused(query, result.present_key, result.present_value, options);
    return result;
  }
  // Scaling the query first keeps large products from overflowing.
  const Tensor scaled_query = scale(query, checked_scale(options, query.dim(-1)));
  const MatmulOptions by_rows{.transpose_a = false, .transpose_b = true};
  result.scores = ungrouped(matmul(grouped(scaled_query, key), result.present_key, by_rows), query);
  result.capped_scores = options.soft_cap ? soft_cap(result.scores, *options.soft_cap) : result.scores;
  result.masked_scores = options.positions.apply(options.mask.apply(result.capped_scores));
  result.weights = softmax(result.masked_scores);
  result.output = ungrouped(matmul(grouped(result.weights, key), result.present_value), query);
  return result;
}

}  // namespace lookback::attention
