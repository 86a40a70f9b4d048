// SPDX-License-Identifier: MIT
// Strides of broadcasting arrays, and the longest runs they allow.
#include "lookback/tensor/broadcast.hpp"

namespace lookback {

namespace {

std::vector<std::int64_t> strides_of(const Shape& shape, const Shape& common) {
  std::vector<std::int64_t> strides(static_cast<std::size_t>(common.rank()), 0);
  std::int64_t step = 1;
  for (int i = 1; i <= shape.rank(); ++i) {
    if (shape[-i] != 1) strides[static_cast<std::size_t>(common.rank() - i)] = step;
    step *= shape[-i];
  }
  return strides;
}

}  // namespace

Broadcast::Broadcast(const Shape& common, std::initializer_list<const Shape*> shapes) : outer_(common.dims()) {
  std::size_t count = 0;
  for (const Shape* shape : shapes) strides_[count++] = strides_of(*shape, common);
  for (; !outer_.empty(); outer_.pop_back()) {
    const std::size_t axis = outer_.size() - 1;
    if (outer_[axis] == 1) continue;
    // A run takes in one more axis as long as every array goes on walking, or standing.
    for (std::size_t k = 0; k < count; ++k) {
      if (length_ == 1) steps_[k] = strides_[k][axis] ? 1 : 0;
      if (strides_[k][axis] != steps_[k] * length_) {
        runs_ = length_ ? common.num_elements() / length_ : 0;
        return;
      }
    }
    length_ *= outer_[axis];
  }
  runs_ = length_ ? 1 : 0;
}

Broadcast::Offsets Broadcast::offsets(std::int64_t run) const {
  Offsets offsets{};
  for (std::size_t axis = outer_.size(); axis-- > 0;) {
    const std::int64_t coordinate = run % outer_[axis];
    run /= outer_[axis];
    for (std::size_t k = 0; k < kArrays; ++k) offsets[k] += strides_[k].empty() ? 0 : coordinate * strides_[k][axis];
  }
  return offsets;
}

}  // namespace lookback
