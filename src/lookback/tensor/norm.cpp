// SPDX-License-Identifier: MIT
// Normalisation: the last axes are one row, the leading ones count rows.
#include "lookback/tensor/norm.hpp"

#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/norm.hpp"
#include "lookback/kernels/norm_backward.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/tape.hpp"

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
  LayerNormResult result{std::move(output).build(), std::move(mean).build(), std::move(inverse_deviation).build()};
  if (Tape* tape = recording(x, w, b)) {
    tape->outputs(result.output)
        .record([x, w, b, result, has_weight = weight.has_value(), n = rows.length](Gradients& g) {
          const float* const d_y = g.of(result.output);
          float* const d_x = g.add_into(x);
          float* const d_weight = g.add_into(w);
          float* const d_bias = g.add_into(b);
          for (std::int64_t r = 0; r < result.mean.size(); ++r) {
            const kernels::RowMoments moments{result.mean.data()[r], result.inverse_deviation.data()[r]};
            kernels::layer_norm_backward_row(x.data() + r * n, has_weight ? w.data() : nullptr, moments, d_y + r * n,
                                             d_x ? d_x + r * n : nullptr, d_weight, d_bias, n);
          }
        });
  }
  return result;
}

Tensor rms_norm(const Tensor& x, const std::optional<Tensor>& weight, float epsilon, int axis) {
  const Rows rows = rows_of("rms_norm", x, axis, epsilon);
  const Tensor w = weight ? expanded("rms_norm", *weight, rows.normalised) : Tensor();
  TensorBuilder output(x.shape());
  for (std::int64_t r = 0; r < rows.count; ++r) {
    kernels::rms_norm_row(x.data() + r * rows.length, weight ? w.data() : nullptr, epsilon,
                          output.data() + r * rows.length, rows.length);
  }
  Tensor y = std::move(output).build();
  if (Tape* tape = recording(x, w)) {
    tape->outputs(y).record([x, w, y, has_weight = weight.has_value(), epsilon, rows](Gradients& g) {
      const float* const d_y = g.of(y);
      float* const d_x = g.add_into(x);
      float* const d_weight = g.add_into(w);
      for (std::int64_t start = 0; start < rows.count * rows.length; start += rows.length) {
        kernels::rms_norm_backward_row(x.data() + start, has_weight ? w.data() : nullptr, epsilon, d_y + start,
                                       d_x ? d_x + start : nullptr, d_weight, rows.length);
      }
    });
  }
  return y;
}

}  // namespace lookback
