// SPDX-License-Identifier: MIT
// Element-wise ops and their gradients.
#include "lookback/tensor/elementwise.hpp"

#include <cmath>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/activation.hpp"
#include "lookback/kernels/activation_backward.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/broadcast.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback {

namespace {

constexpr float kDropped = -std::numeric_limits<float>::infinity();

template <typename Function>
Tensor map(const Tensor& x, Function function) {
  TensorBuilder result(x.shape());
  for (std::int64_t i = 0; i < x.size(); ++i) result.data()[i] = function(x.data()[i]);
  return std::move(result).build();
}

/// function(in, out, n), once for all numbers.
template <typename Function>
Tensor map_rows(const Tensor& x, Function function) {
  TensorBuilder result(x.shape());
  function(x.data(), result.data(), x.size());
  return std::move(result).build();
}

/// y = f(x) with its gradient by backward(x, y, d_y, d_x, n), which adds.
template <typename Backward>
Tensor with_gradient(const Tensor& x, Tensor y, Backward backward) {
  if (Tape* tape = recording(x)) {
    tape->outputs(y).record([x, kept = y, backward](Gradients& g) {
      backward(x.data(), kept.data(), g.of(kept), g.add_into(x), x.size());
    });
  }
  return y;
}

/// d_operand += factor d_y other, summed over the axes along which the operand broadcasts; other may be null for 1.
void add_product(Gradients& g, const Tensor& operand, const Tensor& y, const Tensor* other, float factor) {
  float* const into = g.add_into(operand);
  if (!into) return;
  const float* const d_y = g.of(y);
  const Broadcast pair(y.shape(), {&operand.shape(), other ? &other->shape() : &operand.shape()});
  for (std::int64_t run = 0; run < pair.runs(); ++run) {
    const auto offsets = pair.offsets(run);
    const std::int64_t start = run * pair.length();
    kernels::accumulate_product(into + offsets[0], pair.step(0), d_y + start,
                                other ? other->data() + offsets[1] : nullptr, pair.step(1), factor, pair.length());
  }
}

void pass_or_sum(Gradients& g, const Tensor& operand, const Tensor& y) {
  if (operand.shape() == y.shape()) return g.pass(operand, y);
  add_product(g, operand, y, nullptr, 1.0f);
}

Tensor pairwise(const char* name, kernels::PairOp op, const Tensor& a, const Tensor& b) {
  TensorBuilder result(broadcast(name, a.shape(), b.shape()));
  const Broadcast pair(result.shape(), {&a.shape(), &b.shape()});
  for (std::int64_t run = 0; run < pair.runs(); ++run) {
    const auto offsets = pair.offsets(run);
    const std::int64_t start = run * pair.length();
    kernels::pair_row(op, a.data() + offsets[0], pair.step(0), b.data() + offsets[1], pair.step(1),
                      result.data() + start, pair.length());
  }
  return std::move(result).build();
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  Tensor y = pairwise("add", kernels::PairOp::add, a, b);
  if (Tape* tape = recording(a, b)) {
    tape->outputs(y).record([a, b, y](Gradients& g) {
      pass_or_sum(g, a, y);
      pass_or_sum(g, b, y);
    });
  }
  return y;
}

Tensor subtract(const Tensor& a, const Tensor& b) {
  Tensor y = pairwise("subtract", kernels::PairOp::subtract, a, b);
  if (Tape* tape = recording(a, b)) {
    tape->outputs(y).record([a, b, y](Gradients& g) {
      pass_or_sum(g, a, y);
      add_product(g, b, y, nullptr, -1.0f);
    });
  }
  return y;
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  Tensor y = pairwise("multiply", kernels::PairOp::multiply, a, b);
  if (Tape* tape = recording(a, b)) {
    tape->outputs(y).record([a, b, y](Gradients& g) {
      add_product(g, a, y, &b, 1.0f);
      add_product(g, b, y, &a, 1.0f);
    });
  }
  return y;
}

namespace {

/// d_operand += d_y where (condition != 0) == is_chosen.
void add_selected(Gradients& g, const Tensor& operand, const Tensor& y, const Tensor& condition, bool is_chosen) {
  float* const into = g.add_into(operand);
  if (!into) return;
  const float* const d_y = g.of(y);
  const Broadcast pair(y.shape(), {&operand.shape(), &condition.shape()});
  for (std::int64_t run = 0; run < pair.runs(); ++run) {
    const auto offsets = pair.offsets(run);
    const std::int64_t start = run * pair.length();
    for (std::int64_t i = 0; i < pair.length(); ++i) {
      if ((condition.data()[offsets[1] + i * pair.step(1)] != 0.0f) == is_chosen)
        into[offsets[0] + i * pair.step(0)] += d_y[start + i];
    }
  }
}

}  // namespace

Tensor select(const Tensor& condition, const Tensor& chosen, const Tensor& otherwise) {
  TensorBuilder result(broadcast("select", broadcast("select", condition.shape(), chosen.shape()), otherwise.shape()));
  const Broadcast all(result.shape(), {&condition.shape(), &chosen.shape(), &otherwise.shape()});
  for (std::int64_t run = 0; run < all.runs(); ++run) {
    const auto offsets = all.offsets(run);
    const std::int64_t start = run * all.length();
    for (std::int64_t i = 0; i < all.length(); ++i) {
      result.data()[start + i] = condition.data()[offsets[0] + i * all.step(0)] != 0.0f
                                     ? chosen.data()[offsets[1] + i * all.step(1)]
                                     : otherwise.data()[offsets[2] + i * all.step(2)];
    }
  }
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(chosen, otherwise)) {
    tape->outputs(y).record([condition, chosen, otherwise, y](Gradients& g) {
      add_selected(g, chosen, y, condition, true);
      add_selected(g, otherwise, y, condition, false);
    });
  }
  return y;
}

Tensor add_or_drop(const Tensor& x, const Tensor& addend) {
  TensorBuilder result(broadcast("add_or_drop", x.shape(), addend.shape()));
  const Broadcast pair(result.shape(), {&x.shape(), &addend.shape()});
  for (std::int64_t run = 0; run < pair.runs(); ++run) {
    const auto offsets = pair.offsets(run);
    const std::int64_t start = run * pair.length();
    for (std::int64_t i = 0; i < pair.length(); ++i) {
      const float change = addend.data()[offsets[1] + i * pair.step(1)];
      result.data()[start + i] = change == kDropped ? kDropped : x.data()[offsets[0] + i * pair.step(0)] + change;
    }
  }
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(x, addend)) {
    tape->outputs(y).record([x, addend, y](Gradients& g) {
      // What was dropped has no influence; 1 keeps the rest.
      const Tensor kept = map(addend, [](float change) { return change == kDropped ? 0.0f : 1.0f; });
      add_selected(g, x, y, kept, true);
      add_selected(g, addend, y, kept, true);
    });
  }
  return y;
}

Tensor scale(const Tensor& x, float factor) {
  return with_gradient(x, map(x, [factor](float value) { return factor * value; }),
                       [factor](const float*, const float*, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::accumulate(d_x, d_y, factor, n);
                       });
}

Tensor tanh(const Tensor& x) {
  return with_gradient(x, map_rows(x, kernels::tanh_row),
                       [](const float*, const float* y, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::tanh_backward(y, d_y, d_x, n);
                       });
}

Tensor sigmoid(const Tensor& x) {
  return with_gradient(x, map_rows(x, kernels::sigmoid_row),
                       [](const float*, const float* y, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::sigmoid_backward(y, d_y, d_x, n);
                       });
}

Tensor relu(const Tensor& x) {
  return with_gradient(x, map(x, kernels::relu),
                       [](const float* in, const float*, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::relu_backward(in, d_y, d_x, n);
                       });
}

Tensor gelu_erf(const Tensor& x) {
  return with_gradient(x, map(x, kernels::gelu_erf),
                       [](const float* in, const float*, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::gelu_erf_backward(in, d_y, d_x, n);
                       });
}

Tensor gelu_tanh(const Tensor& x) {
  return with_gradient(x, map_rows(x, kernels::gelu_tanh_row),
                       [](const float* in, const float*, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::gelu_tanh_backward(in, d_y, d_x, n);
                       });
}

Tensor swish(const Tensor& x, float alpha) {
  Tensor y =
      map_rows(x, [alpha](const float* in, float* out, std::int64_t n) { kernels::swish_row(in, alpha, out, n); });
  return with_gradient(x, std::move(y),
                       [alpha](const float* in, const float*, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::swish_backward(in, alpha, d_y, d_x, n);
                       });
}

Tensor silu_multiply(const Tensor& gate, const Tensor& up) {
  if (gate.shape() != up.shape()) {
    throw ShapeError(message("silu_multiply: gate ", gate.shape(), " and up ", up.shape(), " must have one shape"));
  }
  TensorBuilder result(gate.shape());
  kernels::silu_multiply_row(gate.data(), up.data(), result.data(), gate.size());
  Tensor y = std::move(result).build();
  if (Tape* tape = recording(gate, up)) {
    tape->outputs(y).record([gate, up, y](Gradients& g) {
      float* const d_gate = g.add_into(gate);
      kernels::silu_multiply_backward(gate.data(), up.data(), g.of(y), d_gate, g.add_into(up), gate.size());
    });
  }
  return y;
}

void check_soft_cap(float cap) {
  if (!(cap > 0.0f) || !std::isfinite(cap))
    throw ValueError(message("soft_cap: the cap must be above 0 and finite, got ", cap));
}

Tensor soft_cap(const Tensor& x, float cap) {
  check_soft_cap(cap);
  return with_gradient(x, map(x, [cap](float value) { return cap * std::tanh(value / cap); }),
                       [cap](const float*, const float* y, const float* d_y, float* d_x, std::int64_t n) {
                         kernels::soft_cap_backward(y, cap, d_y, d_x, n);
                       });
}

}  // namespace lookback
