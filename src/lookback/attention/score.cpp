// SPDX-License-Identifier: MIT
// Score functions.
#include "lookback/attention/score.hpp"

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"
#include "lookback/tensor/matmul.hpp"

namespace lookback::attention {

namespace {

void check_query_and_keys(const char* name, const Tensor& query, const Tensor& keys) {
  if (query.rank() < 1 || keys.rank() < 2) {
    throw ShapeError(
        message(name, ": query must be [Dq] or [T, Dq] and keys [S, Dk], got ", query.shape(), " and ", keys.shape()));
  }
}

/// x weight, with the argument named when the widths differ.
Tensor project(const char* function, const char* what, const char* weight_name, const Tensor& x, const Tensor& weight) {
  if (weight.rank() != 2 || x.dim(-1) != weight.dim(0)) {
    throw ShapeError(message(function, ": ", what, " ", x.shape(), " times ", weight_name, " ", weight.shape(),
                             " does not fit (width ", x.dim(-1), ")"));
  }
  return matmul(x, weight);
}

/// v . tanh(query part + key part), every query with every key. Parts [.., T, N] or [N], and [.., S, N].
AdditiveScores combine(const char* name, const Tensor& query_part, const Tensor& key_part, const Tensor& vector,
                       const std::optional<Tensor>& bias) {
  const std::int64_t width = key_part.dim(-1);
  if (query_part.dim(-1) != width || vector.shape() != Shape{width} || (bias && bias->shape() != Shape{width})) {
    throw ShapeError(message(name, ": hidden widths differ: query part ", query_part.shape(), ", key part ",
                             key_part.shape(), ", v_a ", vector.shape(),
                             bias ? ", b_a " + bias->shape().to_string() : ""));
  }
  const Tensor queries = query_part.reshape(query_part.shape().without_last(1).appended({1, width}));
  Tensor keys = key_part;
  if (query_part.rank() > 1)
    keys = key_part.reshape(key_part.shape().without_last(2).appended({1, key_part.dim(-2), width}));
  Tensor sum = add(queries, keys);
  if (bias) sum = add(sum, *bias);
  const Tensor hidden = tanh(sum);
  return {matmul(hidden, vector), query_part, key_part, hidden};
}

}  // namespace

Tensor dot_scores(const Tensor& query, const Tensor& keys) {
  check_query_and_keys("dot", query, keys);
  if (query.dim(-1) != keys.dim(-1)) {
    throw ShapeError(message("dot: query ", query.shape(), " and keys ", keys.shape(), " must have the same width"));
  }
  return matmul(query, keys, {.transpose_a = false, .transpose_b = true});
}

Tensor general_scores(const Tensor& query, const Tensor& keys, const Tensor& weight) {
  check_query_and_keys("general", query, keys);
  const Tensor projected = project("general", "query", "W_a [Dq, Dk]", query, weight);
  if (projected.dim(-1) != keys.dim(-1)) {
    throw ShapeError(message("general: W_a ", weight.shape(), " does not lead to keys ", keys.shape()));
  }
  return matmul(projected, keys, {.transpose_a = false, .transpose_b = true});
}

Tensor concat_scores(const Tensor& query, const Tensor& keys, const Tensor& weight, const Tensor& vector) {
  check_query_and_keys("concat", query, keys);
  const std::int64_t query_dim = query.dim(-1);
  if (weight.rank() != 2 || weight.dim(0) != query_dim + keys.dim(-1)) {
    throw ShapeError(message("concat: W_a must be [Dq + Dk, N], got ", weight.shape(), " for query ", query.shape(),
                             " and keys ", keys.shape()));
  }
  // [q; k] W = q W_upper + k W_lower, so the pairs need not be built.
  const Tensor query_part = matmul(query, slice(weight, 0, 0, query_dim));
  const Tensor key_part = matmul(keys, slice(weight, 0, query_dim, weight.dim(0)));
  return combine("concat", query_part, key_part, vector, std::nullopt).scores;
}

AdditiveScores additive_scores(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights) {
  check_query_and_keys("additive", query, keys);
  return additive_scores_projected(query, project("additive", "keys", "U_a [Dk, N]", keys, weights.key_weight),
                                   weights);
}

AdditiveScores additive_scores_projected(const Tensor& query, const Tensor& key_projection,
                                         const AdditiveWeights& weights) {
  check_query_and_keys("additive", query, key_projection);
  const Tensor query_part = project("additive", "query", "W_a [Dq, N]", query, weights.query_weight);
  return combine("additive", query_part, key_projection, weights.vector, weights.bias);
}

}  // namespace lookback::attention
