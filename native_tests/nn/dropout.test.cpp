// SPDX-License-Identifier: MIT
// Dropout: how often, what stays, and that the gradient goes where the numbers went.
#include "lookback/nn/dropout.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "lookback/tensor/tape.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("dropout: numbers become 0 at the rate asked for, the others grow so that the mean stays", "[nn]") {
  constexpr std::int64_t kCount = 100000;
  for (float rate : {0.1f, 0.5f, 0.9f}) {
    Random random(3);
    const Tensor y = nn::dropout(Tensor::full({kCount}, 2.0f), rate, random);
    const std::int64_t zeros = std::count(y.values().begin(), y.values().end(), 0.0f);
    CHECK(std::count(y.values().begin(), y.values().end(), 2.0f * (1.0f / (1.0f - rate))) == kCount - zeros);
    // Five standard deviations of a count of kCount draws at most: 5 sqrt(.25 / kCount) = .008.
    CHECK(is_close(static_cast<double>(zeros) / kCount, static_cast<double>(rate), {0.008, 0.0}));
  }
}

TEST_CASE("dropout: rate 0 changes nothing and draws nothing", "[nn]") {
  Random random(3);
  const std::uint64_t before = random.state();
  const Tensor x = random_tensor({2, 3}, 1);
  CHECK_THAT(nn::dropout(x, 0.0f, random), close_to(x, kExact));
  CHECK(random.state() == before);
}

TEST_CASE("dropout: the same generator drops the same numbers, a later one others", "[nn]") {
  Random a(3), b(3);
  const Tensor x = Tensor::full({100}, 1.0f);
  const Tensor first = nn::dropout(x, 0.5f, a);
  CHECK_THAT(nn::dropout(x, 0.5f, b), close_to(first, kExact));
  CHECK_THAT(nn::dropout(x, 0.5f, b), !close_to(first, kExact));
}

TEST_CASE("dropout: the gradient is dropped and grown as the numbers were", "[nn][gradient]") {
  Tensor x = Tensor::full({50}, 1.0f);
  Random random(4);
  Tape tape;
  tape.watch(x);
  const Tensor y = nn::dropout(x, 0.4f, random);
  tape.backward(y, Tensor::full({50}, 1.0f));
  CHECK_THAT(tape.gradient(x), close_to(y, kExact));
}

TEST_CASE("dropout: a rate below 0, or 1 and above, is refused", "[nn]") {
  Random random(1);
  for (float rate : {-0.1f, 1.0f, 2.0f, std::numeric_limits<float>::quiet_NaN()}) {
    CHECK(error_of([&] {
            return nn::dropout(Tensor::zeros({2}), rate, random);
          }).find("value: dropout: the rate must be in [0, 1), got ") == 0);
  }
}
