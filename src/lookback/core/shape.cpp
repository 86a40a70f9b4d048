// SPDX-License-Identifier: MIT
// Shapes: checks, products and broadcasting.
#include "lookback/core/shape.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback {

namespace {
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

std::string joined(const std::vector<std::int64_t>& dims) {
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}
}  // namespace

Shape::Shape(std::vector<std::int64_t> dims) : dims_(std::move(dims)) {
  std::int64_t product = 1;
  for (std::int64_t dim : dims_) {
    if (dim < 0) throw ShapeError(message("shape: extents must be 0 or more, got ", joined(dims_)));
    if (dim > 0 && product > kMaxElements / dim)
      throw ShapeError(message("shape: too many elements in ", joined(dims_)));
    product *= std::max<std::int64_t>(dim, 1);
  }
}

std::int64_t Shape::num_elements() const { return product(0, rank()); }

std::int64_t Shape::operator[](int axis) const { return dims_[static_cast<std::size_t>(normalize_axis(axis))]; }

int Shape::normalize_axis(int axis) const {
  const int positive = axis < 0 ? axis + rank() : axis;
  if (positive < 0 || positive >= rank()) throw RangeError(message("shape: no axis ", axis, " in ", *this));
  return positive;
}

std::int64_t Shape::product(int first, int last) const {
  std::int64_t product = 1;
  for (int axis = first; axis < last; ++axis) product *= dims_[static_cast<std::size_t>(axis)];
  return product;
}

Shape Shape::with(int axis, std::int64_t extent) const {
  std::vector<std::int64_t> dims = dims_;
  dims[static_cast<std::size_t>(normalize_axis(axis))] = extent;
  return Shape(std::move(dims));
}

Shape Shape::without_last(int n) const {
  LOOKBACK_ASSERT(n <= rank());
  return Shape(std::vector<std::int64_t>(dims_.begin(), dims_.end() - n));
}

Shape Shape::appended(std::initializer_list<std::int64_t> dims) const {
  std::vector<std::int64_t> all = dims_;
  all.insert(all.end(), dims.begin(), dims.end());
  return Shape(std::move(all));
}

std::string Shape::to_string() const { return joined(dims_); }

Shape broadcast(const char* function, const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  std::vector<std::int64_t> dims(static_cast<std::size_t>(rank));
  for (int i = 1; i <= rank; ++i) {
    const std::int64_t da = i <= a.rank() ? a[-i] : 1;
    const std::int64_t db = i <= b.rank() ? b[-i] : 1;
    if (da != db && da != 1 && db != 1) {
      throw ShapeError(message(function, ": shapes ", a, " and ", b, " do not broadcast (", da, " against ", db, ")"));
    }
    dims[static_cast<std::size_t>(rank - i)] = da == 1 ? db : da;
  }
  return Shape(std::move(dims));
}

}  // namespace lookback
