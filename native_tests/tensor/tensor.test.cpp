// SPDX-License-Identifier: MIT
// Construction, sharing and reshaping of tensors.
#include "lookback/tensor/tensor.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("tensor: every way to make one", "[tensor]") {
  CHECK(Tensor().shape() == Shape{0});
  CHECK_THAT(Tensor::zeros({2, 2}), close_to(Tensor::matrix({{0, 0}, {0, 0}}), kExact));
  CHECK_THAT(Tensor::full({2}, 1.5f), close_to(Tensor::vector({1.5f, 1.5f}), kExact));
  CHECK(Tensor::scalar(3).shape() == Shape{});
  CHECK(Tensor::scalar(3).item() == 3.0f);
  const Tensor matrix = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  CHECK(matrix.shape() == Shape{2, 3});
  CHECK_THAT(matrix.values(), close_to({1, 2, 3, 4, 5, 6}, kExact));
  CHECK_THAT(Tensor(Shape{2}, {0, 1}).values(), close_to({0, 1}, kExact));
  CHECK(Tensor::matrix({}).shape() == Shape{0, 0});
  TensorBuilder builder(Shape{2});
  builder.data()[0] = 0;
  builder.data()[1] = 7;
  CHECK_THAT(std::move(builder).build(), close_to(Tensor::vector({0, 7}), kExact));
}

TEST_CASE("tensor: numbers that don't fill the shape are refused", "[tensor]") {
  CHECK(error_of([] { return Tensor(Shape{2, 3}, {1, 2}); }) == "shape: tensor: shape [2, 3] holds 6 numbers, got 2");
  CHECK(error_of([] {
          return Tensor::matrix({{1, 2}, {3}});
        }) == "shape: tensor: rows of 2 and 1 numbers in one matrix");
  CHECK(error_of([] { return Tensor::vector({1, 2}).item(); }) == "shape: item: needs one number, shape is [2]");
}

TEST_CASE("reshape: the same numbers under another shape, without a copy", "[tensor]") {
  const Tensor x = counted_tensor({2, 3});
  const Tensor y = x.reshape({3, 2});
  CHECK(y.data() == x.data());
  CHECK_THAT(y, close_to(Tensor::matrix({{1, 2}, {3, 4}, {5, 6}}), kExact));
  CHECK(Tensor::zeros({0, 3}).reshape({3, 0, 5}).size() == 0);
  CHECK(error_of([&] { return x.reshape({4}); }) == "shape: reshape: [2, 3] does not fit [4]");
}

TEST_CASE("tensor: copies share the numbers, the last one frees them", "[tensor]") {
  const auto before = live_bytes();
  {
    const Tensor x = Tensor::zeros({10});
    const Tensor copy = x;
    CHECK(copy.data() == x.data());
    CHECK(live_bytes() == before + 40);
  }
  CHECK(live_bytes() == before);
}

TEST_CASE("tensor builder: goes on from a tensor, in place only when nobody else holds the numbers", "[tensor]") {
  Tensor x = Tensor::vector({1, 2});
  const Tensor copy = x;
  TensorBuilder shared(std::move(x));
  shared.data()[0] = 5;
  CHECK(copy.data()[0] == 1.0f);
  Tensor own = std::move(shared).build();
  CHECK_THAT(own, close_to(Tensor::vector({5, 2}), kExact));
  const float* const address = own.data();
  CHECK(TensorBuilder(std::move(own)).data() == address);
}
