// SPDX-License-Identifier: MIT
// Position encodings; angles are computed in double.
#include "lookback/attention/position.hpp"

#include <algorithm>
#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/rotary.hpp"

namespace lookback::attention {

namespace {

void check_tables(const Tensor& x, const Tensor& cos, const Tensor& sin) {
  const bool has_batch = cos.rank() == 3;
  if (x.rank() < 2 || cos.shape() != sin.shape() || (cos.rank() != 2 && !has_batch) || cos.dim(-2) != x.dim(-2) ||
      (has_batch && (x.rank() < 3 || cos.dim(0) != x.dim(0)))) {
    throw ShapeError(message("rotary: tables ", cos.shape(), " and ", sin.shape(),
                             " must be [T, R/2] or [B, T, R/2] for x ", x.shape()));
  }
  if (2 * cos.dim(-1) > x.dim(-1)) {
    throw ShapeError(
        message("rotary: tables of ", cos.dim(-1), " angles turn more features than x ", x.shape(), " has"));
  }
}

}  // namespace

Tensor sinusoidal(std::int64_t length, std::int64_t width, const SinusoidOptions& options) {
  if (length < 0 || width < 1)
    throw ValueError(
        message("sinusoidal: needs a length of 0 or more and a width of 1 or more, got ", length, " and ", width));
  if (!(options.base > 1.0) || !std::isfinite(options.base))
    throw ValueError(message("sinusoidal: the base must be above 1, got ", options.base));
  TensorBuilder result(Shape{length, width});
  const std::int64_t num_sines = (width + 1) / 2;
  for (std::int64_t p = 0; p < length; ++p) {
    for (std::int64_t c = 0; c < width; ++c) {
      const bool is_interleaved = options.layout == SinusoidLayout::interleaved;
      const std::int64_t i = is_interleaved ? c / 2 : c % num_sines;
      const bool is_sine = is_interleaved ? c % 2 == 0 : c < num_sines;
      const double angle =
          static_cast<double>(p) / std::pow(options.base, 2.0 * static_cast<double>(i) / static_cast<double>(width));
      result.data()[p * width + c] = static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle));
    }
  }
  return std::move(result).build();
}

Tensor rotary(const Tensor& x, const std::vector<std::int64_t>& positions, const RotaryOptions& options) {
  if (x.rank() < 2) throw ShapeError(message("rotary: x must be [.., T, K], got ", x.shape()));
  const std::int64_t width = options.width.value_or(x.dim(-1));
  if (width < 0 || width % 2 != 0 || width > x.dim(-1)) {
    throw ValueError(
        message("rotary: features turn in pairs, so the width must be even and at most ", x.dim(-1), ", got ", width));
  }
  if (!(options.base > 0.0) || !std::isfinite(options.base))
    throw ValueError(message("rotary: the base must be above 0, got ", options.base));
  if (static_cast<std::int64_t>(positions.size()) != x.dim(-2)) {
    throw ShapeError(message("rotary: ", positions.size(), " positions for T = ", x.dim(-2), " of x ", x.shape()));
  }
  const Shape table{x.dim(-2), width / 2};
  TensorBuilder cos(table);
  TensorBuilder sin(table);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const std::int64_t start = static_cast<std::int64_t>(t) * (width / 2);
    kernels::rotary_angles(positions[t], options.base, width, cos.data() + start, sin.data() + start);
  }
  return rotary_from_tables(x, std::move(cos).build(), std::move(sin).build(), options.pairing);
}

Tensor rotary_from_tables(const Tensor& x, const Tensor& cos, const Tensor& sin, RotaryPairing pairing) {
  check_tables(x, cos, sin);
  return rotate_pairs(x, cos, sin, pairing);
}

}  // namespace lookback::attention
