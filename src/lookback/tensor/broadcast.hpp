// SPDX-License-Identifier: MIT
// Walking up to three arrays that broadcast against each other, a run of their last axes at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "lookback/core/shape.hpp"

namespace lookback {

/// Arrays against a common shape to which each broadcasts. Run number r begins at r * length() of the common shape and
/// at offsets(r)[k] of array k, and along it array k walks (step(k) = 1) or stands (0).
class Broadcast {
 public:
  static constexpr std::size_t kArrays = 3;
  using Offsets = std::array<std::int64_t, kArrays>;

  /// `shapes` outlive this object's construction only.
  Broadcast(const Shape& common, std::initializer_list<const Shape*> shapes);

  std::int64_t runs() const { return runs_; }
  std::int64_t length() const { return length_; }
  std::int64_t step(std::size_t array) const { return steps_[array]; }
  Offsets offsets(std::int64_t run) const;

 private:
  std::vector<std::int64_t> outer_;                           ///< extents of the axes before the run
  std::array<std::vector<std::int64_t>, kArrays> strides_{};  ///< by axis of the common shape; 0 where it broadcasts
  Offsets steps_{};
  std::int64_t runs_ = 0;
  std::int64_t length_ = 1;
};

}  // namespace lookback
