// SPDX-License-Identifier: MIT
// Masks: dropped scores are replaced, never multiplied or merely lowered.
#include "lookback/attention/mask.hpp"

#include <algorithm>
#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/elementwise.hpp"

namespace lookback::attention {

namespace {

constexpr float kDropped = -std::numeric_limits<float>::infinity();

void check_ones_and_zeros(const char* name, const Tensor& mask) {
  for (float value : mask.values()) {
    if (value != 0.0f && value != 1.0f) {
      throw ValueError(
          message("mask: `", name, "` holds only 0 and 1, found ", value, "; numbers to be added go in `bias`"));
    }
  }
}

void check_broadcasts(const Shape& scores, const Shape& mask) {
  if (broadcast("mask", scores, mask) == scores) return;
  throw ShapeError(message("mask: shape ", mask, " does not broadcast to the scores' ", scores));
}

/// Batch items of scores [.., T, S]: the first of four axes.
std::int64_t items_of(const Shape& scores) { return scores.rank() == 4 ? scores[0] : 1; }

}  // namespace

Mask Mask::keep(Tensor ones_and_zeros) {
  check_ones_and_zeros("keep", ones_and_zeros);
  return Mask(Kind::keep, std::move(ones_and_zeros));
}

Mask Mask::ignore(Tensor ones_and_zeros) {
  check_ones_and_zeros("ignore", ones_and_zeros);
  return Mask(Kind::ignore, std::move(ones_and_zeros));
}

Mask Mask::bias(Tensor addends) {
  for (float value : addends.values()) {
    if (std::isnan(value) || value == -kDropped)
      throw ValueError(message("mask: `bias` holds ", value, "; finite numbers or -infinity"));
  }
  return Mask(Kind::bias, std::move(addends));
}

Tensor Mask::apply(const Tensor& scores) const {
  if (kind_ == Kind::none) return scores;
  check_broadcasts(scores.shape(), values_.shape());
  switch (kind_) {
    case Kind::keep: return select(values_, scores, Tensor::scalar(kDropped));
    case Kind::ignore: return select(values_, Tensor::scalar(kDropped), scores);
    default: return add_or_drop(scores, values_);
  }
}

kernels::ScoreMask Mask::rows(const Shape& scores, std::int64_t head) const {
  kernels::ScoreMask result;
  if (kind_ == Kind::none) return result;
  const Shape& shape = values_.shape();
  check_broadcasts(scores, shape);
  result.kind = kind_;
  result.data = values_.data();
  std::int64_t step = 1;
  for (int axis = 1; axis <= shape.rank(); step *= shape[-axis], ++axis) {
    const std::int64_t stride = shape[-axis] == 1 ? 0 : step;
    if (axis == 1) result.col_stride = stride;
    if (axis == 2) result.row_stride = stride;
    if (axis == 3) result.head_stride = stride;
    if (axis < 3) continue;
    result.data += head % scores[-axis] * stride;
    head /= scores[-axis];
  }
  return result;
}

bool PositionRule::is_trivial() const {
  return causal == Causal::none && window_left == kUnlimited && window_right == kUnlimited && valid_lengths.empty();
}

kernels::VisibleKeys PositionRule::visible(const Shape& scores, std::int64_t item) const {
  if (window_left < 0 || window_right < 0) {
    throw RangeError(message("mask: windows must be 0 or more, got ", window_left, " and ", window_right));
  }
  const std::int64_t queries = scores[-2];
  const std::int64_t keys = scores[-1];
  if (!valid_lengths.empty() && static_cast<std::int64_t>(valid_lengths.size()) != items_of(scores)) {
    throw ShapeError(message("mask: ", valid_lengths.size(), " valid lengths for ", items_of(scores),
                             " batch items, scores ", scores));
  }
  const std::int64_t length = valid_lengths.empty() ? keys : valid_lengths[static_cast<std::size_t>(item)];
  if (length < 0 || length > keys)
    throw RangeError(message("mask: valid length ", length, " is outside [0, ", keys, "]"));
  const std::int64_t aligned = causal == Causal::bottom_right ? length - queries : 0;
  return {.length = length,
          .position = query_position.value_or(aligned),
          .left = window_left,
          .right = causal == Causal::none ? window_right : 0};
}

Tensor PositionRule::apply(const Tensor& scores) const {
  if (is_trivial()) return scores;
  const std::int64_t queries = scores.dim(-2);
  const std::int64_t keys = scores.dim(-1);
  const std::int64_t items = items_of(scores.shape());
  const std::int64_t rows_per_item = items && keys ? scores.size() / keys / items : 0;
  TensorBuilder keep(scores.shape());
  for (std::int64_t item = 0; item < items; ++item) {
    const kernels::VisibleKeys seen = visible(scores.shape(), item);
    for (std::int64_t i = 0; i < rows_per_item; ++i) {
      float* row = keep.data() + (item * rows_per_item + i) * keys;
      std::fill(row, row + keys, 0.0f);
      std::fill(row + seen.begin(i % queries), row + seen.end(i % queries), 1.0f);
    }
  }
  return select(std::move(keep).build(), scores, Tensor::scalar(kDropped));
}

}  // namespace lookback::attention
