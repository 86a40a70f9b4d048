// SPDX-License-Identifier: MIT
// The tape itself: what is recorded, how gradients meet, what memory it holds, and how it says no.
#include "lookback/tensor/tape.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lookback/core/memory.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/matmul.hpp"
#include "lookback/tensor/reduce.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::test;

TEST_CASE("tape: a gradient by hand", "[tensor][gradient]") {
  // f = sum((a b + a)^2 / 2) for a = (1, 2), b = (3, 4): ab + a = (4, 10), df/da = (ab + a)(b + 1), df/db = (ab + a) a.
  Tensor a = Tensor::vector({1, 2});
  Tensor b = Tensor::vector({3, 4});
  Tape tape;
  tape.watch(a);
  tape.watch(b);
  const Tensor y = add(multiply(a, b), a);
  tape.backward(sum(scale(multiply(y, y), 0.5f)));
  CHECK_THAT(tape.gradient(a), close_to(Tensor::vector({16, 50}), kExact));
  CHECK_THAT(tape.gradient(b), close_to(Tensor::vector({4, 20}), kExact));
}

TEST_CASE("tape: gradients add where a tensor is used more than once", "[tensor][gradient]") {
  Tensor x = Tensor::vector({1, 2});
  Tape tape;
  tape.watch(x);
  // Sums pass a gradient on without a copy; none may change another.
  const Tensor twice = add(x, x);
  const Tensor y = add(add(twice, x), multiply(twice, x));
  tape.keep_gradient(twice);
  tape.backward(y, Tensor::vector({1, 10}));
  CHECK_THAT(tape.gradient(twice), close_to(Tensor::vector({2, 30}), kExact));
  CHECK_THAT(tape.gradient(x), close_to(Tensor::vector({7, 110}), kExact));
}

TEST_CASE("tape: only what follows from a watched tensor is recorded", "[tensor][gradient]") {
  const Tensor constant = Tensor::vector({1, 2});
  Tensor x = Tensor::vector({3, 4});
  Tape tape;
  multiply(constant, constant);
  CHECK(tape.num_recorded() == 0);
  tape.watch(x);
  const Tensor y = multiply(constant, x);
  CHECK(tape.num_recorded() == 1);
  {
    const PauseRecording pause;
    multiply(x, y);
  }
  CHECK(tape.num_recorded() == 1);
  tape.backward(sum(y));
  CHECK_THAT(tape.gradient(x), close_to(constant, kExact));
}

TEST_CASE("tape: a tensor that the result does not depend on has gradient 0", "[tensor][gradient]") {
  Tensor x = Tensor::vector({3, 4});
  Tensor unused = Tensor::matrix({{1, 2, 3}});
  Tape tape;
  tape.watch(x);
  tape.watch(unused);
  multiply(unused, unused);
  tape.backward(sum(x));
  CHECK_THAT(tape.gradient(unused), close_to(Tensor::zeros({1, 3}), kExact));
}

TEST_CASE("tape: another tape's tensors are constants", "[tensor][gradient]") {
  Tensor x = Tensor::vector({3, 4});
  Tensor y = Tensor::vector({5, 6});
  Tape outer;
  outer.watch(x);
  {
    Tape inner;
    inner.watch(y);
    inner.backward(sum(multiply(x, y)));
    CHECK_THAT(inner.gradient(y), close_to(x, kExact));
    CHECK(outer.num_recorded() == 0);
  }
  outer.backward(sum(multiply(x, y)));
  CHECK_THAT(outer.gradient(x), close_to(y, kExact));
}

TEST_CASE("tape: a view by another shape is the same variable", "[tensor][gradient]") {
  Tensor x = Tensor::vector({1, 2, 3, 4});
  Tape tape;
  tape.watch(x);
  tape.backward(sum(matmul(x.reshape({2, 2}), Tensor::vector({10, 1}))));
  CHECK_THAT(tape.gradient(x), close_to(Tensor::vector({10, 1, 10, 1}), kExact));
}

TEST_CASE("tape: steps free what they hold, without growth", "[tensor][gradient]") {
  Tensor weight = random_tensor({8, 8}, 1);
  const Tensor x = random_tensor({4, 8}, 2);
  const auto before = live_bytes();
  for (int step = 0; step < 3; ++step) {
    Tape tape;
    tape.watch(weight);
    Tensor h = x;
    for (int layer = 0; layer < 2000; ++layer) h = tanh(matmul(h, weight));
    const Tensor loss = mean(h);
    h = Tensor();
    tape.backward(loss);
    // The gradient of the weight, the loss and the empty h.
    CHECK(live_bytes() - before <= 4 * (64 + 1));
  }
  CHECK(live_bytes() == before);
}

TEST_CASE("tape: misuse is named", "[tensor][gradient]") {
  Tensor x = Tensor::vector({3, 4});
  Tape tape;
  CHECK(error_of([&] {
          tape.backward(Tensor::scalar(1));
          return 0;
        }) == "state: tape: what is to be differentiated does not depend on anything that was watched");
  tape.watch(x);
  const Tensor y = scale(x, 2);
  CHECK(error_of([&] {
          tape.backward(y);
          return 0;
        }) == "shape: tape: needs one number to differentiate, shape is [2]");
  CHECK(error_of([&] {
          tape.backward(y, Tensor::scalar(1));
          return 0;
        }) == "shape: tape: y [2] and d_y [] must have the same shape");
  CHECK(error_of([&] { return tape.gradient(x); }) == "state: tape: gradients exist after backward()");
  CHECK(error_of([&] {
          tape.keep_gradient(Tensor::scalar(1));
          return 0;
        }) == "state: tape: the tensor [] was not recorded here");
  tape.backward(sum(y));
  CHECK(error_of([&] { return tape.gradient(y); }) ==
        "state: tape: an intermediate result's gradient is kept only when keep_gradient() asks for it");
  CHECK(error_of([&] { return tape.gradient(Tensor::vector({1})); }) ==
        "state: tape: the tensor [1] is not a variable of this tape");
  const std::string used = "state: tape: its gradients have been computed; a new step needs a new tape";
  CHECK(error_of([&] {
          tape.backward(sum(y));
          return 0;
        }) == used);
  CHECK(error_of([&] {
          tape.watch(x);
          return 0;
        }) == used);
}
