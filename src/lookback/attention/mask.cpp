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

struct Item {
  std::int64_t length;    ///< real keys
  std::int64_t position;  ///< key position of query 0
};

Item item_of(const PositionRule& rule, std::int64_t index, std::int64_t queries, std::int64_t keys) {
  const std::int64_t length = rule.valid_lengths.empty() ? keys : rule.valid_lengths[static_cast<std::size_t>(index)];
  if (length < 0 || length > keys)
    throw RangeError(message("mask: valid length ", length, " is outside [0, ", keys, "]"));
  const std::int64_t aligned = rule.causal == Causal::bottom_right ? length - queries : 0;
  return {length, rule.query_position.value_or(aligned)};
}

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
  if (broadcast("mask", scores.shape(), values_.shape()) != scores.shape()) {
    throw ShapeError(message("mask: shape ", values_.shape(), " does not broadcast to the scores' ", scores.shape()));
  }
  switch (kind_) {
    case Kind::keep: return select(values_, scores, Tensor::scalar(kDropped));
    case Kind::ignore: return select(values_, Tensor::scalar(kDropped), scores);
    default: return add_or_drop(scores, values_);
  }
}

bool PositionRule::is_trivial() const {
  return causal == Causal::none && window_left == kUnlimited && window_right == kUnlimited && valid_lengths.empty();
}

Tensor PositionRule::apply(const Tensor& scores) const {
  if (is_trivial()) return scores;
  if (window_left < 0 || window_right < 0) {
    throw RangeError(message("mask: windows must be 0 or more, got ", window_left, " and ", window_right));
  }
  const std::int64_t queries = scores.dim(-2);
  const std::int64_t keys = scores.dim(-1);
  const std::int64_t items = scores.rank() == 4 ? scores.dim(0) : 1;
  if (!valid_lengths.empty() && static_cast<std::int64_t>(valid_lengths.size()) != items) {
    throw ShapeError(
        message("mask: ", valid_lengths.size(), " valid lengths for ", items, " batch items, scores ", scores.shape()));
  }
  std::vector<Item> all_items;
  for (std::int64_t b = 0; b < items; ++b) all_items.push_back(item_of(*this, b, queries, keys));
  TensorBuilder result(scores.shape());
  const std::int64_t rows = keys ? scores.size() / keys : 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    const Item& item = all_items[static_cast<std::size_t>(row / (rows / items))];
    const std::int64_t position = item.position + row % queries;
    for (std::int64_t j = 0; j < keys; ++j) {
      const bool is_future = causal != Causal::none && j > position;
      const bool is_outside = position - j > window_left || j - position > window_right;
      const bool is_seen = j < item.length && !is_future && !is_outside;
      result.data()[row * keys + j] = is_seen ? scores.data()[row * keys + j] : kDropped;
    }
  }
  return std::move(result).build();
}

}  // namespace lookback::attention
