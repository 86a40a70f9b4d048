// SPDX-License-Identifier: MIT
// Tensors that JavaScript holds by number, and plain exports that take numbers alone: a call with objects costs some
// microseconds, as much as a small product itself.
#pragma once

#include <emscripten/val.h>

#include "lookback/tensor/tensor.hpp"

namespace lookback::bindings {

/// Keeps the tensor and gives its number, 0 or more; lookback_release ends both.
int keep(Tensor tensor);

/// Throws Error(state) when there is no such number.
const Tensor& kept(int number);

/// {error} of the last plain export that answered -1.
emscripten::val last_error();

}  // namespace lookback::bindings

extern "C" {
/// Number of a b, an operand transposed first when its flag is not 0; -1 on an error.
int lookback_matmul(int a, int b, int transpose_a, int transpose_b);
void lookback_release(int number);
/// Rank of a kept tensor and one of its extents; -1 when there is no such number.
int lookback_rank(int number);
double lookback_extent(int number, int axis);
}
