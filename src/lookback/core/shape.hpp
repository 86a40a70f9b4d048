// SPDX-License-Identifier: MIT
// The extents of a dense row-major array.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace lookback {

/// Extents from the slowest to the fastest axis: element [i, j] of shape [m, n] lies at i * n + j.
/// An empty list of extents is a scalar (one element); an extent of 0 is an array without elements.
/// Construction throws ShapeError for a negative extent or when the number of elements does not fit (2^40 at most).
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims) : Shape(std::vector<std::int64_t>(dims)) {}
  explicit Shape(std::vector<std::int64_t> dims);

  int rank() const { return static_cast<int>(dims_.size()); }
  std::int64_t num_elements() const;
  /// Extent of an axis; negative axes count from the end. Throws RangeError outside [-rank, rank).
  std::int64_t operator[](int axis) const;
  const std::vector<std::int64_t>& dims() const { return dims_; }

  /// Axis as a number in [0, rank). Throws RangeError.
  int normalize_axis(int axis) const;
  /// Product of the extents in [first, last).
  std::int64_t product(int first, int last) const;
  Shape with(int axis, std::int64_t extent) const;
  /// Leading axes [0, rank - n).
  Shape without_last(int n) const;
  Shape appended(std::initializer_list<std::int64_t> dims) const;

  std::string to_string() const;
  bool operator==(const Shape& other) const { return dims_ == other.dims_; }
  bool operator!=(const Shape& other) const { return dims_ != other.dims_; }

 private:
  std::vector<std::int64_t> dims_;
};

/// The common shape of two arrays under broadcasting: aligned at the last axis, extents equal or one of them 1.
/// Throws ShapeError naming `function` and both shapes.
Shape broadcast(const char* function, const Shape& a, const Shape& b);

}  // namespace lookback
