// SPDX-License-Identifier: MIT
// Token embedding and the tied output layer.
#include "lookback/nn/embedding.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("embedding: a row for each id", "[nn]") {
  const nn::Embedding embedding{counted_tensor({5, 2})};
  CHECK_THAT(embedding.forward({4, 1}), close_to(Tensor::matrix({{9, 10}, {3, 4}}), kExact));
  CHECK(embedding.forward({}).shape() == Shape{0, 2});
}

TEST_CASE("embedding: ids outside the vocabulary are named", "[nn]") {
  const nn::Embedding embedding{Tensor::zeros({5, 2})};
  CHECK(error_of([&] { return embedding.forward({5}); }) == "range: gather_rows: id 5 is outside [0, 5)");
  CHECK(error_of([&] { return embedding.forward({-1}); }) == "range: gather_rows: id -1 is outside [0, 5)");
}

TEST_CASE("embedding: tied logits are products with every row", "[nn]") {
  const nn::Embedding embedding{Tensor::matrix({{1, 0}, {0, 2}, {1, 1}})};
  CHECK_THAT(embedding.tied_logits(Tensor::vector({3, 4})), close_to(Tensor::vector({3, 8, 7}), kExact));
  CHECK_THAT(embedding.tied_logits(Tensor::matrix({{3, 4}, {1, 0}})),
             close_to(Tensor::matrix({{3, 8, 7}, {1, 0, 1}}), kExact));
}
