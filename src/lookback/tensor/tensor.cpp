// SPDX-License-Identifier: MIT
// Construction and reshaping of tensors.
#include "lookback/tensor/tensor.hpp"

#include <algorithm>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback {

Tensor::Tensor() : Tensor(Shape{0}, std::vector<float>{}) {}

Tensor::Tensor(Shape shape, std::vector<float> values) : shape_(std::move(shape)) {
  const auto count = static_cast<std::int64_t>(values.size());
  if (count != shape_.num_elements()) {
    throw ShapeError(message("tensor: shape ", shape_, " holds ", shape_.num_elements(), " numbers, got ", count));
  }
  buffer_ = std::make_shared<Buffer>(std::move(values));
}

Tensor::Tensor(std::shared_ptr<Buffer> buffer, Shape shape) : shape_(std::move(shape)), buffer_(std::move(buffer)) {}

Tensor Tensor::zeros(Shape shape) { return full(std::move(shape), 0.0f); }

Tensor Tensor::full(Shape shape, float value) {
  TensorBuilder result(std::move(shape));
  std::fill_n(result.data(), result.shape().num_elements(), value);
  return std::move(result).build();
}

Tensor Tensor::scalar(float value) { return Tensor(Shape{}, {value}); }

Tensor Tensor::vector(std::vector<float> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return Tensor(Shape{count}, std::move(values));
}

Tensor Tensor::matrix(std::initializer_list<std::initializer_list<float>> rows) {
  const std::size_t cols = rows.size() ? rows.begin()->size() : 0;
  std::vector<float> values;
  for (const auto& row : rows) {
    if (row.size() != cols)
      throw ShapeError(message("tensor: rows of ", cols, " and ", row.size(), " numbers in one matrix"));
    values.insert(values.end(), row.begin(), row.end());
  }
  return Tensor(Shape{static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(cols)}, std::move(values));
}

float Tensor::item() const {
  if (size() != 1) throw ShapeError(message("item: needs one number, shape is ", shape_));
  return data()[0];
}

Tensor Tensor::reshape(Shape shape) const {
  if (shape.num_elements() != size()) throw ShapeError(message("reshape: ", shape_, " does not fit ", shape));
  Tensor result(buffer_, std::move(shape));
  result.entry_ = entry_;
  return result;
}

TensorBuilder::TensorBuilder(Shape shape)
    : shape_(std::move(shape)), buffer_(std::make_shared<Buffer>(shape_.num_elements(), Fill::none)) {}

TensorBuilder::TensorBuilder(Tensor x) : shape_(std::move(x.shape_)), buffer_(std::move(x.buffer_)) {
  if (buffer_.use_count() == 1) return;
  const std::shared_ptr<Buffer> shared = std::exchange(buffer_, std::make_shared<Buffer>(buffer_->size(), Fill::none));
  std::copy_n(shared->data(), shared->size(), buffer_->data());
}

Tensor TensorBuilder::build() && { return Tensor(std::move(buffer_), std::move(shape_)); }

}  // namespace lookback
