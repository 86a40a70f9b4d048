// SPDX-License-Identifier: MIT
// The functions that the table names. Each takes one plain object of options and gives one plain object of results;
// fields, shapes and meanings are those of web/src/engine/types.ts.
#pragma once

#include <emscripten/val.h>

namespace lookback::bindings {

using emscripten::val;

val additive(val options);
val luong(val options);
val scaled_dot_product(val options);
val multi_head(val options);

/// `x` and the op's own options.
val softmax(val options);
val log_softmax(val options);
val layer_norm(val options);
val rms_norm(val options);
/// `function`: gelu_erf, gelu_tanh, swish (with `alpha`), tanh or sigmoid.
val activation(val options);
val linear(val options);
val embedding(val options);
/// An LSTM, or with `reset` a GRU.
val recurrent(val options);

val sinusoidal(val options);
val rotary(val options);
val rotary_from_tables(val options);

/// The number of a new resident tensor.
val make_tensor(val array);
val read_tensor(val number);
/// {bytes}: what live tensors and sessions hold.
val stats();

}  // namespace lookback::bindings
