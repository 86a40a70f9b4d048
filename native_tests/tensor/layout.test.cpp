// SPDX-License-Identifier: MIT
// Transposes, joins, slices, and heads.
#include "lookback/tensor/layout.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("transpose: by hand", "[tensor]") {
  CHECK_THAT(transpose(Tensor::matrix({{1, 2, 3}, {4, 5, 6}}), 0, 1),
             close_to(Tensor::matrix({{1, 4}, {2, 5}, {3, 6}}), kExact));
}

TEST_CASE("transpose: any two axes of four, by index arithmetic", "[tensor]") {
  const int a = GENERATE(0, 1, 2, 3);
  const int b = GENERATE(-4, -3, -2, -1);
  const Shape shape{2, 3, 4, 5};
  const Tensor x = counted_tensor(shape);
  const Tensor y = transpose(x, a, b);
  std::vector<std::int64_t> dims = shape.dims();
  std::swap(dims[static_cast<std::size_t>(a)], dims[static_cast<std::size_t>(b + 4)]);
  REQUIRE(y.shape() == Shape(dims));
  int wrong = 0;
  for (std::int64_t flat = 0; flat < x.size(); ++flat) {
    std::vector<std::int64_t> at{flat / 60, flat / 20 % 3, flat / 5 % 4, flat % 5};
    std::swap(at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b + 4)]);
    wrong += y.data()[((at[0] * dims[1] + at[1]) * dims[2] + at[2]) * dims[3] + at[3]] != x.data()[flat];
  }
  CHECK(wrong == 0);
}

TEST_CASE("transpose: empty arrays keep their extents, a wrong axis is named", "[tensor]") {
  CHECK(transpose(Tensor::zeros({2, 0, 3}), 0, 2).shape() == Shape{3, 0, 2});
  CHECK(error_of([] { return transpose(Tensor::zeros({2, 3}), 0, 2); }) == "range: shape: no axis 2 in [2, 3]");
}

TEST_CASE("concat: in order along the axis", "[tensor]") {
  const Tensor a = Tensor::matrix({{1, 2}, {3, 4}});
  const Tensor b = Tensor::matrix({{5}, {6}});
  CHECK_THAT(concat({a, b}, 1), close_to(Tensor::matrix({{1, 2, 5}, {3, 4, 6}}), kExact));
  CHECK_THAT(concat({b, a}, -1), close_to(Tensor::matrix({{5, 1, 2}, {6, 3, 4}}), kExact));
  CHECK_THAT(concat({a, a}, 0), close_to(Tensor::matrix({{1, 2}, {3, 4}, {1, 2}, {3, 4}}), kExact));
  CHECK_THAT(concat({Tensor::zeros({0, 2}), a}, 0), close_to(a, kExact));
}

TEST_CASE("concat: extents that differ elsewhere are named", "[tensor]") {
  CHECK(error_of([] {
          return concat({Tensor::zeros({2, 3}), Tensor::zeros({3, 3})}, 1);
        }) == "shape: concat: shapes [2, 3] and [3, 3] differ beyond axis 1");
  CHECK(error_of([] {
          return concat({Tensor::zeros({2, 3}), Tensor::zeros({2})}, 0);
        }) == "shape: concat: shapes [2, 3] and [2] differ beyond axis 0");
  CHECK(error_of([] { return concat({}, 0); }) == "shape: concat: there is nothing to join");
}

TEST_CASE("slice: start included, stop excluded, along any axis", "[tensor]") {
  const Tensor x = counted_tensor({2, 3, 2});
  CHECK_THAT(slice(x, 1, 1, 3), close_to(Tensor(Shape{2, 2, 2}, {3, 4, 5, 6, 9, 10, 11, 12}), kExact));
  CHECK_THAT(slice(x, -1, 0, 1), close_to(Tensor(Shape{2, 3, 1}, {1, 3, 5, 7, 9, 11}), kExact));
  CHECK(slice(x, 0, 1, 1).shape() == Shape{0, 3, 2});
  CHECK_THAT(concat({slice(x, 1, 0, 1), slice(x, 1, 1, 3)}, 1), close_to(x, kExact));
}

TEST_CASE("slice: a range outside the axis is named", "[tensor]") {
  const Tensor x = Tensor::zeros({2, 3});
  CHECK(error_of([&] { return slice(x, 1, 1, 4); }) == "range: slice: [1, 4) of axis 1 in shape [2, 3]");
  CHECK(error_of([&] { return slice(x, 0, -1, 1); }) == "range: slice: [-1, 1) of axis 0 in shape [2, 3]");
  CHECK(error_of([&] { return slice(x, 0, 2, 1); }) == "range: slice: [2, 1) of axis 0 in shape [2, 3]");
}

TEST_CASE("split_heads: each head takes its columns, tokens stay in order", "[tensor]") {
  const Tensor x = Tensor::matrix({{1, 2, 3, 4}, {5, 6, 7, 8}});
  CHECK_THAT(split_heads(x, 2), close_to(Tensor(Shape{2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8}), kExact));
  CHECK_THAT(split_heads(Tensor::matrix({{1, 2}, {3, 4}}), 2), close_to(Tensor(Shape{2, 2, 1}, {1, 3, 2, 4}), kExact));
}

TEST_CASE("merge_heads: the inverse of split_heads, batches included", "[tensor]") {
  CHECK_THAT(merge_heads(Tensor(Shape{2, 2, 1}, {1, 3, 2, 4})), close_to(Tensor::matrix({{1, 2}, {3, 4}}), kExact));
  const Tensor batch = counted_tensor({2, 3, 8});
  CHECK(split_heads(batch, 4).shape() == Shape{2, 4, 3, 2});
  CHECK_THAT(merge_heads(split_heads(batch, 4)), close_to(batch, kExact));
  CHECK(merge_heads(split_heads(Tensor::zeros({0, 6}), 3)).shape() == Shape{0, 6});
}

TEST_CASE("heads: widths that do not divide and missing axes are named", "[tensor]") {
  CHECK(error_of([] {
          return split_heads(Tensor::zeros({2, 10}), 3);
        }) == "shape: split_heads: width 10 is not divisible by 3 heads, shape [2, 10]");
  CHECK(error_of([] {
          return split_heads(Tensor::zeros({2, 10}), 0);
        }) == "shape: split_heads: width 10 is not divisible by 0 heads, shape [2, 10]");
  CHECK(error_of([] { return split_heads(Tensor::zeros({10}), 2); }) ==
        "shape: split_heads: needs [.., T, width], got [10]");
  CHECK(error_of([] {
          return merge_heads(Tensor::zeros({2, 3}));
        }) == "shape: merge_heads: needs [.., heads, T, K], got [2, 3]");
}
