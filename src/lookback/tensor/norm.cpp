// SPDX-License-Identifier: MIT
// Normalisation: the last axes are one row, the leading ones count rows.
#include "lookback/tensor/norm.hpp"

#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/norm.hpp"
#include "lookback/tensor/elementwise.hpp"

namespace lookback {

namespace {

struct Rows {
  std::int64_t count;
  std::int64_t length;
  Shape normalised;  ///< the axes that make up one row
  Shape moments;     ///< the leading extents, then ones
};

Rows rows_of(const char* function, const Tensor& x, int axis, float epsilon) {
  if (!(epsilon >= 0.0f)) throw ValueError(message(function, ": epsilon must be 0 or more, got ", epsilon));
  const int first = x.shape().normalize_axis(axis);
  std::vector<std::int64_t> moments = x.shape().dims();
  for (int i = first; i < x.rank(); ++i) moments[static_cast<std::size_t>(i)] = 1;
  const Shape normalised(std::vector<std::int64_t>(x.shape().dims().begin() + first, x.shape().dims().end()));
  return {x.shape().product(0, first), normalised.num_elements(), normalised, Shape(std::move(moments))};
}

/// The parameter at the full extent of a row, so that a kernel can walk it.
Tensor expanded(const char* function, const Tensor& parameter, const Shape& normalised) {
  if (parameter.shape() == normalised) return parameter;
  if (broadcast(function, parameter.shape(), normalised) != normalised) {
    throw ShapeError(
        message(function, ": a parameter of shape ", parameter.shape(), " is wider than the row ", normalised));
  }
  return add(parameter, Tensor::zeros(normalised));
}

}  // namespace

LayerNormResult layer_norm(const Tensor& x, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                           float epsilon, int axis) {
  const Rows rows = rows_of("layer_norm", x, axis, epsilon);
  const Tensor w = weight ? expanded("layer_norm", *weight, rows.normalised) : Tensor();
  const Tensor b = bias ? expanded("layer_norm", *bias, rows.normalised) : Tensor();
  TensorBuilder output(x.shape());
  TensorBuilder mean(rows.moments);
  TensorBuilder inverse_deviation(rows.moments);
  for (std::int64_t r = 0; r < rows.count; ++r) {
    const auto moments =
        kernels::layer_norm_row(x.data() + r * rows.length, weight ? w.data() : nullptr, bias ? b.data() : nullptr,
                                epsilon, output.data() + r * rows.length, rows.length);
    mean.data()[r] = moments.mean;
    inverse_deviation.data()[r] = moments.inverse_deviation;
  }
  return {std::move(output).build(), std::move(mean).build(), std::move(inverse_deviation).build()};
}

Tensor rms_norm(const Tensor& x, const std::optional<Tensor>& weight, float epsilon, int axis) {
  const Rows rows = rows_of("rms_norm", x, axis, epsilon);
  const Tensor w = weight ? expanded("rms_norm", *weight, rows.normalised) : Tensor();
  TensorBuilder output(x.shape());
  for (std::int64_t r = 0; r < rows.count; ++r) {
    kernels::rms_norm_row(x.data() + r * rows.length, weight ? w.data() : nullptr, epsilon,
                          output.data() + r * rows.length, rows.length);
  }
  return std::move(output).build();
}

}  // namespace lookback
