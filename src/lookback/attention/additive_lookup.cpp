// SPDX-License-Identifier: MIT
// The fused op: an item at a time, keeping the tanh for the pass back.
#include "lookback/attention/additive_lookup.hpp"

#include <algorithm>
#include <memory>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/additive_attention.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback::attention {

namespace {

void check(const Tensor& query, const Tensor& keys, const Tensor& vector, const Tensor& values,
           const std::vector<std::int64_t>& lengths) {
  const bool fits = query.rank() == 2 && keys.rank() == 3 && values.rank() == 3 && vector.rank() == 1 &&
                    keys.dim(0) == query.dim(0) && values.dim(0) == query.dim(0) && values.dim(1) == keys.dim(1) &&
                    keys.dim(2) == query.dim(1) && vector.dim(0) == query.dim(1);
  if (!fits) {
    throw ShapeError(message("additive_lookup: needs projected query [B, N], projected keys [B, S, N], vector [N], ",
                             "values [B, S, D]; got ", query.shape(), ", ", keys.shape(), ", ", vector.shape(), ", ",
                             values.shape()));
  }
  const auto count = static_cast<std::int64_t>(lengths.size());
  if (count != 0 && count != query.dim(0)) {
    throw ShapeError(message("additive_lookup: ", count, " lengths for a batch of ", query.dim(0)));
  }
  for (std::int64_t length : lengths) {
    if (length >= 0 && length <= keys.dim(1)) continue;
    throw RangeError(message("additive_lookup: length ", length, " is not from 0 to ", keys.dim(1)));
  }
}

struct Operands {
  Tensor query, keys, vector, values;
  std::vector<std::int64_t> lengths;

  kernels::AdditiveAttention item(std::int64_t b) const {
    return {.keys = lengths.empty() ? keys.dim(1) : lengths[static_cast<std::size_t>(b)],
            .hidden = query.dim(1),
            .value_dim = values.dim(2),
            .query = query.data() + b * query.dim(1),
            .projected_keys = keys.data() + b * keys.dim(1) * keys.dim(2),
            .vector = vector.data(),
            .values = values.data() + b * values.dim(1) * values.dim(2)};
  }
};

/// The part of a gradient that belongs to item b, where there is one.
template <typename Number>
Number* part(Number* all, std::int64_t b, std::int64_t size) {
  return all ? all + b * size : nullptr;
}

void add_gradients(Gradients& g, const Operands& x, const Buffer& hiddens, const AdditiveLookup& y) {
  const std::int64_t batch = x.query.dim(0), keys = x.keys.dim(1), hidden = x.query.dim(1), width = x.values.dim(2);
  const float* const d_weights = g.of(y.weights);
  const float* const d_context = g.of(y.context);
  float* const d_query = g.add_into(x.query);
  float* const d_keys = g.add_into(x.keys);
  float* const d_vector = g.add_into(x.vector);
  float* const d_values = g.add_into(x.values);
  float* const room = scratch(keys);
  for (std::int64_t b = 0; b < batch; ++b) {
    kernels::additive_attention_backward(
        x.item(b), hiddens.data() + b * keys * hidden, y.weights.data() + b * keys, part(d_context, b, width),
        part(d_weights, b, keys),
        {part(d_query, b, hidden), part(d_keys, b, keys * hidden), d_vector, part(d_values, b, keys * width)}, room);
  }
}

}  // namespace

AdditiveLookup additive_lookup(const Tensor& projected_query, const Tensor& projected_keys, const Tensor& vector,
                               const Tensor& values, const std::vector<std::int64_t>& lengths) {
  check(projected_query, projected_keys, vector, values, lengths);
  const Operands x{projected_query, projected_keys, vector, values, lengths};
  const std::int64_t batch = x.query.dim(0), keys = x.keys.dim(1), hidden = x.query.dim(1), width = x.values.dim(2);
  const auto hiddens = std::make_shared<Buffer>(x.keys.size(), Fill::none);
  TensorBuilder weights(Shape{batch, keys});
  TensorBuilder context(Shape{batch, width});
  std::fill_n(weights.data(), batch * keys, 0.0f);
  for (std::int64_t b = 0; b < batch; ++b) {
    kernels::additive_attention(x.item(b), hiddens->data() + b * keys * hidden, weights.data() + b * keys,
                                context.data() + b * width);
  }
  AdditiveLookup y{std::move(weights).build(), std::move(context).build()};
  if (Tape* tape = recording(x.query, x.keys, x.vector, x.values)) {
    tape->outputs(y.weights, y.context).record([x, hiddens, y](Gradients& g) { add_gradients(g, x, *hiddens, y); });
  }
  return y;
}

}  // namespace lookback::attention
