// SPDX-License-Identifier: MIT
// Batched products, vectors, broadcasting of the leading axes.
#include "lookback/tensor/matmul.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("matmul: rows times columns", "[tensor]") {
  const Tensor a = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  const Tensor b = Tensor::matrix({{1, 0}, {0, 1}, {1, 1}});
  CHECK_THAT(matmul(a, b), close_to(Tensor::matrix({{4, 5}, {10, 11}}), kExact));
}

TEST_CASE("matmul: a transposed operand equals the transpose", "[tensor]") {
  const Tensor a = random_tensor({2, 3, 5}, 1);
  const Tensor b = random_tensor({2, 5, 4}, 2);
  const Tensor product = matmul(a, b);
  const Tensor a_transposed = transpose(a, 1, 2);
  const Tensor b_transposed = transpose(b, 1, 2);
  CHECK_THAT(matmul(a_transposed, b, {.transpose_a = true}), close_to(product));
  CHECK_THAT(matmul(a, b_transposed, {.transpose_b = true}), close_to(product));
  CHECK_THAT(matmul(a_transposed, b_transposed, {.transpose_a = true, .transpose_b = true}), close_to(product));
}

TEST_CASE("matmul: vectors stand for a row on the left and a column on the right", "[tensor]") {
  const Tensor matrix = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  CHECK_THAT(matmul(Tensor::vector({1, 10}), matrix), close_to(Tensor::vector({41, 52, 63}), kExact));
  CHECK_THAT(matmul(matrix, Tensor::vector({1, 10, 100})), close_to(Tensor::vector({321, 654}), kExact));
  CHECK_THAT(matmul(Tensor::vector({1, 10, 100}), matrix, {.transpose_b = true}),
             close_to(Tensor::vector({321, 654}), kExact));
  CHECK_THAT(matmul(matrix, Tensor::vector({1, 10}), {.transpose_a = true}),
             close_to(Tensor::vector({41, 52, 63}), kExact));
}

TEST_CASE("matmul: two vectors give a number", "[tensor]") {
  CHECK_THAT(matmul(Tensor::vector({1, 2, 3}), Tensor::vector({4, 5, 6})), close_to(Tensor::scalar(32), kExact));
}

TEST_CASE("matmul: leading axes broadcast, each pair its own product", "[tensor]") {
  const Tensor a = random_tensor({3, 1, 2, 4}, 3);
  const Tensor b = random_tensor({5, 4, 6}, 4);
  const Tensor all = matmul(a, b);
  REQUIRE(all.shape() == Shape{3, 5, 2, 6});
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) {
      const Tensor one = matmul(slice(a, 0, i, i + 1).reshape({2, 4}), slice(b, 0, j, j + 1).reshape({4, 6}));
      CHECK_THAT(slice(slice(all, 0, i, i + 1), 1, j, j + 1).reshape({2, 6}), close_to(one, kExact));
    }
  }
}

TEST_CASE("matmul: extents of 0", "[tensor]") {
  CHECK_THAT(matmul(Tensor::zeros({2, 0}), Tensor::zeros({0, 3})), close_to(Tensor::zeros({2, 3}), kExact));
  CHECK(matmul(Tensor::zeros({0, 2}), Tensor::zeros({2, 3})).shape() == Shape{0, 3});
  CHECK(matmul(Tensor::zeros({0, 2, 3}), Tensor::zeros({1, 3, 4})).shape() == Shape{0, 2, 4});
}

TEST_CASE("matmul: shapes that disagree are named as they were given", "[tensor]") {
  CHECK(error_of([] {
          return matmul(Tensor::zeros({2, 3}), Tensor::zeros({4, 5}));
        }) == "shape: matmul: inner extents 3 and 4 differ, shapes [2, 3] and [4, 5]");
  CHECK(error_of([] {
          return matmul(Tensor::zeros({2, 3}), Tensor::zeros({4, 5}), {.transpose_b = true});
        }) == "shape: matmul: inner extents 3 and 5 differ, shapes [2, 3] and [4, 5]");
  CHECK(error_of([] {
          return matmul(Tensor::zeros({3}), Tensor::zeros({4, 5}));
        }) == "shape: matmul: inner extents 3 and 4 differ, shapes [3] and [4, 5]");
  CHECK(error_of([] {
          return matmul(Tensor::zeros({2, 3}), Tensor::zeros({4}));
        }) == "shape: matmul: inner extents 3 and 4 differ, shapes [2, 3] and [4]");
  CHECK(error_of([] {
          return matmul(Tensor::zeros({2, 2, 3}), Tensor::zeros({3, 3, 4}));
        }) == "shape: matmul: leading axes do not broadcast, shapes [2, 2, 3] and [3, 3, 4]");
  CHECK(error_of([] {
          return matmul(Tensor::scalar(1), Tensor::zeros({1, 1}));
        }) == "shape: matmul: needs vectors or matrices, got shapes [] and [1, 1]");
}
