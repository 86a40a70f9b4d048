// SPDX-License-Identifier: MIT
// Element-wise ops.
#include "lookback/tensor/elementwise.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/activation.hpp"

namespace lookback {

namespace {

template <typename Function>
Tensor map(const Tensor& x, Function function) {
  TensorBuilder result(x.shape());
  for (std::int64_t i = 0; i < x.size(); ++i) result.data()[i] = function(x.data()[i]);
  return std::move(result).build();
}

/// function(in, out, n), once for all numbers.
template <typename Function>
Tensor map_rows(const Tensor& x, Function function) {
  TensorBuilder result(x.shape());
  function(x.data(), result.data(), x.size());
  return std::move(result).build();
}

/// Step of the flat index of `shape` for one step along each axis of the wider `common`; 0 where it broadcasts.
std::vector<std::int64_t> broadcast_strides(const Shape& shape, const Shape& common) {
  std::vector<std::int64_t> strides(static_cast<std::size_t>(common.rank()), 0);
  std::int64_t step = 1;
  for (int i = 1; i <= shape.rank(); ++i) {
    if (shape[-i] != 1) strides[static_cast<std::size_t>(common.rank() - i)] = step;
    step *= shape[-i];
  }
  return strides;
}

/// Flat index under `strides` of the element whose flat index under `common` is `flat`.
std::int64_t offset_of(std::int64_t flat, const Shape& common, const std::vector<std::int64_t>& strides) {
  std::int64_t offset = 0;
  for (int axis = common.rank() - 1; axis >= 0; --axis) {
    offset += flat % common[axis] * strides[static_cast<std::size_t>(axis)];
    flat /= common[axis];
  }
  return offset;
}

template <typename Function>
Tensor zip(const char* name, const Tensor& a, const Tensor& b, Function function) {
  TensorBuilder result(broadcast(name, a.shape(), b.shape()));
  const Shape& common = result.shape();
  const std::int64_t size = common.num_elements();
  if (a.shape() == b.shape()) {
    for (std::int64_t i = 0; i < size; ++i) result.data()[i] = function(a.data()[i], b.data()[i]);
    return std::move(result).build();
  }
  const auto strides_a = broadcast_strides(a.shape(), common);
  const auto strides_b = broadcast_strides(b.shape(), common);
  for (std::int64_t i = 0; i < size; ++i) {
    result.data()[i] = function(a.data()[offset_of(i, common, strides_a)], b.data()[offset_of(i, common, strides_b)]);
  }
  return std::move(result).build();
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  return zip("add", a, b, [](float x, float y) { return x + y; });
}

Tensor subtract(const Tensor& a, const Tensor& b) {
  return zip("subtract", a, b, [](float x, float y) { return x - y; });
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  return zip("multiply", a, b, [](float x, float y) { return x * y; });
}

Tensor select(const Tensor& condition, const Tensor& chosen, const Tensor& otherwise) {
  const Shape common = broadcast("select", broadcast("select", condition.shape(), chosen.shape()), otherwise.shape());
  const auto strides_c = broadcast_strides(condition.shape(), common);
  const auto strides_a = broadcast_strides(chosen.shape(), common);
  const auto strides_b = broadcast_strides(otherwise.shape(), common);
  TensorBuilder result(common);
  for (std::int64_t i = 0; i < common.num_elements(); ++i) {
    const bool is_chosen = condition.data()[offset_of(i, common, strides_c)] != 0.0f;
    result.data()[i] =
        is_chosen ? chosen.data()[offset_of(i, common, strides_a)] : otherwise.data()[offset_of(i, common, strides_b)];
  }
  return std::move(result).build();
}

Tensor add_or_drop(const Tensor& x, const Tensor& addend) {
  constexpr float kDropped = -std::numeric_limits<float>::infinity();
  return zip("add_or_drop", x, addend,
             [](float value, float change) { return change == kDropped ? kDropped : value + change; });
}

Tensor scale(const Tensor& x, float factor) {
  return map(x, [factor](float value) { return factor * value; });
}

Tensor tanh(const Tensor& x) { return map_rows(x, kernels::tanh_row); }
Tensor sigmoid(const Tensor& x) { return map_rows(x, kernels::sigmoid_row); }
Tensor relu(const Tensor& x) { return map(x, kernels::relu); }
Tensor gelu_erf(const Tensor& x) { return map(x, kernels::gelu_erf); }
Tensor gelu_tanh(const Tensor& x) { return map_rows(x, kernels::gelu_tanh_row); }

Tensor swish(const Tensor& x, float alpha) {
  return map_rows(x, [alpha](const float* in, float* out, std::int64_t n) { kernels::swish_row(in, alpha, out, n); });
}

void check_soft_cap(float cap) {
  if (!(cap > 0.0f) || !std::isfinite(cap))
    throw ValueError(message("soft_cap: the cap must be above 0 and finite, got ", cap));
}

Tensor soft_cap(const Tensor& x, float cap) {
  check_soft_cap(cap);
  return map(x, [cap](float value) { return cap * std::tanh(value / cap); });
}

}  // namespace lookback
