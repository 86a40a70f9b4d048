// SPDX-License-Identifier: MIT
// The double oracle of the matrix product against a product done by hand, in all four layouts.
#include "lookback/kernels/reference/matmul.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

TEST_CASE("reference matmul: one product by hand in four layouts", "[kernels][reference]") {
  const float a[] = {1, 2, 3, 4, 5, 6};                                  // [2, 3]
  const float a_transposed[] = {1, 4, 2, 5, 3, 6};                       // [3, 2]
  const float b[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};             // [3, 4]
  const float b_transposed[] = {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12};  // [4, 3]
  const std::vector<double> product{38, 44, 50, 56, 83, 98, 113, 128};
  const auto sizes = [](bool transpose_a, bool transpose_b) {
    return MatmulSizes{.rows = 2, .cols = 4, .inner = 3, .transpose_a = transpose_a, .transpose_b = transpose_b};
  };
  CHECK_THAT(reference::matmul(a, b, sizes(false, false)), close_to(product, kExact));
  CHECK_THAT(reference::matmul(a_transposed, b, sizes(true, false)), close_to(product, kExact));
  CHECK_THAT(reference::matmul(a, b_transposed, sizes(false, true)), close_to(product, kExact));
  CHECK_THAT(reference::matmul(a_transposed, b_transposed, sizes(true, true)), close_to(product, kExact));
}
