// SPDX-License-Identifier: MIT
// Tensor: an immutable dense row-major array of f32, shared by handle.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lookback/core/memory.hpp"
#include "lookback/core/shape.hpp"

namespace lookback {

/// Where a tape recorded a tensor; tape 0 is none.
struct TapeEntry {
  std::uint32_t tape = 0;
  std::uint32_t index = 0;
};

/// A value in a computation. Copying a Tensor copies the handle, not the numbers; an op never changes its operands but
/// returns a new Tensor. That is what lets a tape remember operands without copying them.
class Tensor {
 public:
  /// No elements, shape [0].
  Tensor();
  /// Takes the numbers, row-major. Throws ShapeError when their count is not the shape's.
  Tensor(Shape shape, std::vector<float> values);

  static Tensor zeros(Shape shape);
  static Tensor full(Shape shape, float value);
  static Tensor scalar(float value);
  /// One axis: vector({1, 2}) has shape [2].
  static Tensor vector(std::vector<float> values);
  /// Two axes: matrix({{1, 2}, {3, 4}}). Throws ShapeError when rows differ in length.
  static Tensor matrix(std::initializer_list<std::initializer_list<float>> rows);

  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  /// Extent of an axis, negative from the end.
  std::int64_t dim(int axis) const { return shape_[axis]; }
  std::int64_t size() const { return buffer_->size(); }
  const float* data() const { return buffer_->data(); }
  std::span<const float> values() const { return {buffer_->data(), static_cast<std::size_t>(buffer_->size())}; }
  /// The only number of a one-element tensor. Throws ShapeError otherwise.
  float item() const;

  /// The same numbers under another shape; no copy, and the same entry of a tape: gradients have no shape of their own.
  /// Throws ShapeError when the counts differ.
  Tensor reshape(Shape shape) const;

 private:
  friend class TensorBuilder;
  friend class Gradients;
  friend class Tape;
  // The other way round than above: {0, 1} would be a buffer too.
  Tensor(std::shared_ptr<Buffer> buffer, Shape shape);

  Shape shape_;
  std::shared_ptr<Buffer> buffer_;
  TapeEntry entry_{};
};

/// Numbers under construction: an op fills all of data(), which holds anything at first, and then calls build(), after
/// which they no longer change.
class TensorBuilder {
 public:
  explicit TensorBuilder(Shape shape);
  /// Goes on from the numbers of x: in place when nobody else holds them, else on a copy.
  explicit TensorBuilder(Tensor x);
  float* data() { return buffer_->data(); }
  const Shape& shape() const { return shape_; }
  Tensor build() &&;

 private:
  Shape shape_;
  std::shared_ptr<Buffer> buffer_;
};

}  // namespace lookback
