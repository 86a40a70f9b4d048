// SPDX-License-Identifier: MIT
// Scaled dot-product attention. Grouped heads need no copies: the query heads that share a key head are laid one after
// another along T, [.., G, (H/G) T, K], and one product serves them all.
#include "lookback/attention/scaled_dot_product.hpp"

#include <algorithm>
#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/fused_attention.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/softmax.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback::attention {

namespace {

/// An operand as heads [.., heads, length, width], wherever they lie.
struct Heads {
  const float* data;
  Shape shape;
  std::int64_t row_stride;
  std::int64_t head_stride;

  std::int64_t dim(int axis) const { return shape[axis]; }
  std::int64_t count() const { return shape.rank() >= 3 ? shape[-3] : 1; }
  const float* head(std::int64_t item, std::int64_t index) const {
    return data + item * count() * shape[-2] * shape[-1] + index * head_stride;
  }
};

Heads heads_of(const char* name, const Tensor& x, std::optional<std::int64_t> packed) {
  const Shape& shape = x.shape();
  if (!packed) {
    if (shape.rank() < 2) return {x.data(), shape, 0, 0};
    return {x.data(), shape, shape[-1], shape[-2] * shape[-1]};
  }
  if (*packed < 1 || shape.rank() < 2 || shape.rank() > 3 || shape[-1] % *packed != 0) {
    throw ShapeError(message("scaled_dot_product: packed ", name,
                             " must be [T, heads * width] or [B, T, heads * width], got ", shape, " for ", *packed,
                             " heads"));
  }
  const std::int64_t width = shape[-1] / *packed;
  return {x.data(), shape.without_last(2).appended({*packed, shape[-2], width}), shape[-1], width};
}

void check_shapes(const Shape& q, const Shape& k, const Shape& v) {
  const auto fail = [&](const char* rule) {
    throw ShapeError(message("scaled_dot_product: ", rule, ": query ", q, ", key ", k, ", value ", v));
  };
  if (q.rank() < 2 || q.rank() > 4 || k.rank() != q.rank() || v.rank() != q.rank())
    fail("needs three arrays of the same rank, 2 to 4");
  if (q[-1] != k[-1]) fail("query and key must have the same width K");
  if (k[-2] != v[-2]) fail("key and value must have the same length S");
  if (q.rank() >= 3 && k[-3] != v[-3]) fail("key and value must have the same number of heads");
  if (q.rank() >= 3 && (k[-3] == 0 || q[-3] % k[-3] != 0)) fail("the key heads must divide the query heads");
  if (q.rank() == 4 && (q[0] != k[0] || q[0] != v[0])) fail("the batches must be equal");
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

/// The output alone, a key head at a time with all query heads that share it.
Tensor fused(const Heads& query, const Heads& key, const Heads& value, const ScaledDotProductOptions& options,
             const Shape& output_shape) {
  if (options.soft_cap) check_soft_cap(*options.soft_cap);
  const Shape scores = query.shape.with(-1, key.dim(-2));
  TensorBuilder builder(output_shape);
  const Heads output = {builder.data(), query.shape.with(-1, value.dim(-1)),
                        options.heads ? output_shape[-1] : value.dim(-1),
                        options.heads ? value.dim(-1) : query.dim(-2) * value.dim(-1)};
  kernels::AttentionHeads group;
  group.heads = query.count() / key.count();
  group.queries = query.dim(-2);
  group.head_dim = query.dim(-1);
  group.value_dim = value.dim(-1);
  group.query_stride = query.row_stride;
  group.query_head_stride = query.head_stride;
  group.key_stride = key.row_stride;
  group.value_stride = value.row_stride;
  group.output_stride = output.row_stride;
  group.output_head_stride = output.head_stride;
  group.scale = checked_scale(options, group.head_dim);
  group.soft_cap = options.soft_cap.value_or(0.0f);
  const std::int64_t items = scores.rank() == 4 ? scores[0] : 1;
  float* room = scratch(kernels::fused_attention_scratch(group.head_dim, group.value_dim));
  for (std::int64_t item = 0; item < items; ++item) {
    group.visible = options.positions.visible(scores, item);
    for (std::int64_t g = 0; g < key.count(); ++g) {
      const std::int64_t first = g * group.heads;
      group.query = query.head(item, first);
      group.key = key.head(item, g);
      group.value = value.head(item, g);
      group.output = builder.data() + (output.head(item, first) - output.data);
      group.mask = options.mask.rows(scores, item * query.count() + first);
      kernels::fused_attention(group, room);
    }
  }
  return std::move(builder).build();
}

/// weights value, where 0 times infinity or NaN, the value of a dropped key, is nothing. A tape gets the plain product:
/// with such values there is nothing to learn.
Tensor read_values(const Tensor& weights, const Tensor& value) {
  const Tensor product = matmul(weights, value);
  if (recording(weights, value)) return product;
  bool is_finite = true;
  for (float number : product.values()) is_finite &= std::isfinite(number);
  if (is_finite) return product;
  TensorBuilder result(product.shape());
  std::fill_n(result.data(), product.size(), 0.0f);
  const std::int64_t queries = weights.dim(-2), keys = weights.dim(-1), width = value.dim(-1);
  for (std::int64_t i = 0; i < product.size() / width; ++i) {
    const float* values = value.data() + i / queries * keys * width;
    for (std::int64_t s = 0; s < keys; ++s) {
      const float weight = weights.data()[i * keys + s];
      if (weight == 0.0f) continue;
      for (std::int64_t c = 0; c < width; ++c) result.data()[i * width + c] += weight * values[s * width + c];
    }
  }
  return std::move(result).build();
}

/// Packed operands on the capturing path, or where a past is to be put before them: heads apart, and together again.
ScaledDotProduct unpacked(const Tensor& query, const Tensor& key, const Tensor& value,
                          ScaledDotProductOptions options) {
  const std::int64_t heads = *options.heads, kv_heads = options.kv_heads.value_or(heads);
  heads_of("query", query, heads);
  heads_of("key", key, kv_heads);
  heads_of("value", value, kv_heads);
  options.heads = options.kv_heads = std::nullopt;
  ScaledDotProduct result =
      scaled_dot_product(split_heads(query, heads), split_heads(key, kv_heads), split_heads(value, kv_heads), options);
  result.output = merge_heads(result.output);
  return result;
}

}  // namespace

ScaledDotProduct scaled_dot_product(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const ScaledDotProductOptions& options) {
  if (options.past_key.has_value() != options.past_value.has_value()) {
    throw ShapeError("scaled_dot_product: past keys and past values come together");
  }
  // The fused kernel keeps nothing for a pass back.
  const bool keeps_scores = options.capture || recording(query, key, value);
  if (options.heads && (keeps_scores || options.past_key)) return unpacked(query, key, value, options);
  if (options.kv_heads && !options.heads) throw ValueError("scaled_dot_product: kv_heads without heads");
  ScaledDotProduct result;
  result.present_key = with_past("past_key", options.past_key, key);
  result.present_value = with_past("past_value", options.past_value, value);
  const std::optional<std::int64_t> kv_heads = options.kv_heads ? options.kv_heads : options.heads;
  const Heads q = heads_of("query", query, options.heads);
  const Heads k = heads_of("key", result.present_key, kv_heads);
  const Heads v = heads_of("value", result.present_value, kv_heads);
  check_shapes(q.shape, k.shape, v.shape);

  if (!keeps_scores) {
    const std::int64_t width = options.heads ? q.count() * v.dim(-1) : v.dim(-1);
    result.output = fused(q, k, v, options, query.shape().with(-1, width));
    return result;
  }
  // Scaling the query first keeps large products from overflowing.
  const Tensor scaled_query = scale(query, checked_scale(options, query.dim(-1)));
  const MatmulOptions by_rows{.transpose_a = false, .transpose_b = true};
  result.scores = ungrouped(matmul(grouped(scaled_query, key), result.present_key, by_rows), query);
  result.capped_scores = options.soft_cap ? soft_cap(result.scores, *options.soft_cap) : result.scores;
  result.masked_scores = options.positions.apply(options.mask.apply(result.capped_scores));
  result.weights = softmax(result.masked_scores);
  result.output = ungrouped(read_values(grouped(result.weights, key), result.present_value), query);
  return result;
}

}  // namespace lookback::attention
