// SPDX-License-Identifier: MIT
// Ops on each element alone, and on pairs under broadcasting.
#pragma once

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// a + b, a - b, a * b with broadcasting: shapes aligned at the last axis, extents equal or 1.
/// Throw ShapeError naming both shapes.
Tensor add(const Tensor& a, const Tensor& b);
Tensor subtract(const Tensor& a, const Tensor& b);
Tensor multiply(const Tensor& a, const Tensor& b);

/// chosen where condition is not 0, else otherwise, with broadcasting. The number that is not chosen has no influence,
/// NaN and infinities included.
Tensor select(const Tensor& condition, const Tensor& chosen, const Tensor& otherwise);

/// x + addend, except that an addend of -infinity gives -infinity whatever x is.
Tensor add_or_drop(const Tensor& x, const Tensor& addend);

/// factor * x.
Tensor scale(const Tensor& x, float factor);

Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
/// x * sigmoid(alpha x).
Tensor swish(const Tensor& x, float alpha = 1.0f);
/// silu(gate) * up of equal shapes, in one pass. Throws ShapeError. Shazeer, "GLU Variants Improve Transformer", 2020.
Tensor silu_multiply(const Tensor& gate, const Tensor& up);
/// The exact form by erf, and the tanh form of GPT-2.
Tensor gelu_erf(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
/// cap * tanh(x / cap). Throws ValueError unless cap is above 0 and finite.
Tensor soft_cap(const Tensor& x, float cap);
/// Throws as soft_cap does.
void check_soft_cap(float cap);

}  // namespace lookback
