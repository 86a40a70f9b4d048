// SPDX-License-Identifier: MIT
// Rows of a table by index.
#include "lookback/tensor/gather.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("gather_rows: rows in the order of the ids, repeats included", "[tensor]") {
  const Tensor table = counted_tensor({5, 2});
  CHECK_THAT(gather_rows(table, {4, 0, 4}), close_to(Tensor::matrix({{9, 10}, {1, 2}, {9, 10}}), kExact));
  CHECK(gather_rows(table, {}).shape() == Shape{0, 2});
}

TEST_CASE("gather_rows: an id outside the table is named", "[tensor]") {
  const Tensor table = counted_tensor({5, 2});
  CHECK(error_of([&] { return gather_rows(table, {0, -1}); }) == "range: gather_rows: id -1 is outside [0, 5)");
  CHECK(error_of([&] { return gather_rows(table, {5}); }) == "range: gather_rows: id 5 is outside [0, 5)");
  CHECK(error_of([&] { return gather_rows(table, {std::int64_t{1} << 32}); }) ==
        "range: gather_rows: id 4294967296 is outside [0, 5)");
  CHECK(error_of([&] {
          return gather_rows(Tensor::vector({1, 2}), {0});
        }) == "shape: gather_rows: the table must be [V, D], got [2]");
}
