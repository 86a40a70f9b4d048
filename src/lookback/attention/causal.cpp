// SPDX-License-Identifier: MIT
// Forward by the fused kernel; backward by blocks of queries, which see the keys up to their own end.
#include "lookback/attention/causal.hpp"

#include <algorithm>
#include <cmath>

#include "lookback/attention/scaled_dot_product.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/matmul.hpp"
#include "lookback/kernels/softmax.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback::attention {

namespace {

/// Queries whose weights are held at once: two blocks of them and a head's keys fit the second cache.
constexpr std::int64_t kBlock = 32;

void check_shapes(const Shape& q, const Shape& k, const Shape& v) {
  const bool fits = q.rank() == 4 && k.rank() == 4 && k == v && q[0] == k[0] && q[2] == k[2] && q[3] == k[3] &&
                    k[1] > 0 && q[1] % k[1] == 0;
  if (fits) return;
  throw ShapeError(
      message("causal_attention: needs query [B, H, T, K], key and value [B, G, T, K], got ", q, ", ", k, " and ", v));
}

/// One head, and where its gradients go, which are added to.
struct Head {
  const float *query, *key, *value, *output, *d_output;
  float *d_query, *d_key, *d_value;
  std::int64_t length, width;
};

void multiply(const float* a, const float* b, float* output, const kernels::MatmulSizes& sizes, bool accumulate) {
  kernels::matmul(a, b, output, sizes, scratch(kernels::matmul_scratch(sizes)), {.accumulate = accumulate});
}

/// Row t of the block sees `first` + t + 1 keys. weights: scores -> softmax(scale scores), zeros for keys unseen.
void soften(float* weights, std::int64_t first, std::int64_t rows, std::int64_t keys, float scale) {
  for (std::int64_t t = 0; t < rows; ++t) {
    float* const row = weights + t * keys;
    const std::int64_t seen = first + t + 1;
    kernels::softmax_row(row, row, seen, 1.0f / scale);
    std::fill(row + seen, row + keys, 0.0f);
  }
}

/// d_weights -> d_scores = scale weights (d_weights - output . d_output): the product is the sum of weights d_weights.
void through_softmax(const Head& head, const float* weights, float* d_weights, std::int64_t first, std::int64_t rows,
                     std::int64_t keys, float scale) {
  for (std::int64_t t = 0; t < rows; ++t) {
    const std::int64_t place = (first + t) * head.width;
    const float mean = kernels::dot(head.output + place, head.d_output + place, head.width);
    const float* const w = weights + t * keys;
    float* const d = d_weights + t * keys;
    for (std::int64_t s = 0; s < keys; ++s) d[s] = scale * w[s] * (d[s] - mean);
  }
}

/// With P = weights and dS = d_scores: dV += P^T dO, dP = dO V^T, dQ += dS K, dK += dS^T Q.
void backward(const Head& head, float* weights, float* d_weights) {
  const std::int64_t width = head.width;
  const float scale = 1.0f / std::sqrt(static_cast<float>(width));
  for (std::int64_t first = 0; first < head.length; first += kBlock) {
    const std::int64_t rows = std::min(kBlock, head.length - first), keys = first + rows;
    const kernels::MatmulSizes to_keys{.rows = rows, .cols = keys, .inner = width, .transpose_b = true};
    const kernels::MatmulSizes to_rows{.rows = rows, .cols = width, .inner = keys};
    const kernels::MatmulSizes to_columns{.rows = keys, .cols = width, .inner = rows, .transpose_a = true};
    const float* const query = head.query + first * width;
    const float* const d_output = head.d_output + first * width;
    multiply(query, head.key, weights, to_keys, false);
    soften(weights, first, rows, keys, scale);
    multiply(weights, d_output, head.d_value, to_columns, true);
    multiply(d_output, head.value, d_weights, to_keys, false);
    through_softmax(head, weights, d_weights, first, rows, keys, scale);
    multiply(d_weights, head.key, head.d_query + first * width, to_rows, true);
    multiply(d_weights, query, head.d_key, to_columns, true);
  }
}

void backward_all(Gradients& g, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& output) {
  const std::int64_t length = query.dim(2), width = query.dim(3), size = length * width;
  const std::int64_t sharing = query.dim(1) / key.dim(1);
  const std::int64_t block = std::min(kBlock, length) * length;
  Buffer room(2 * block + size, Fill::none);
  float* const unwanted = room.data() + 2 * block;
  float *const d_query = g.add_into(query), *const d_key = g.add_into(key), *const d_value = g.add_into(value);
  const auto at = [&](float* gradient, std::int64_t head) { return gradient ? gradient + head * size : unwanted; };
  std::fill_n(unwanted, size, 0.0f);
  for (std::int64_t head = 0; head < query.dim(0) * query.dim(1); ++head) {
    // Query heads lie by item and so do key heads, `sharing` times fewer.
    const std::int64_t shared = head / sharing;
    const Head of{.query = query.data() + head * size,
                  .key = key.data() + shared * size,
                  .value = value.data() + shared * size,
                  .output = output.data() + head * size,
                  .d_output = g.of(output) + head * size,
                  .d_query = at(d_query, head),
                  .d_key = at(d_key, shared),
                  .d_value = at(d_value, shared),
                  .length = length,
                  .width = width};
    backward(of, room.data(), room.data() + block);
  }
}

}  // namespace

Tensor causal_attention(const Tensor& query, const Tensor& key, const Tensor& value) {
  check_shapes(query.shape(), key.shape(), value.shape());
  Tensor output;
  {
    const PauseRecording pause;
    ScaledDotProductOptions options;
    options.positions.causal = Causal::bottom_right;
    options.capture = false;
    output = scaled_dot_product(query, key, value, options).output;
  }
  if (Tape* tape = recording(query, key, value)) {
    tape->outputs(output).record(
        [query, key, value, output](Gradients& g) { backward_all(g, query, key, value, output); });
  }
  return output;
}

}  // namespace lookback::attention
