// SPDX-License-Identifier: MIT
// Gradients of the activation functions, n numbers at a time. All add to d_x [n]; x is the function's operand and y its
// result. d_x may alias nothing else.
#pragma once

#include <cstdint>

namespace lookback::kernels {

/// d_x += d_y (1 - y^2).
void tanh_backward(const float* y, const float* d_y, float* d_x, std::int64_t n);
/// d_x += d_y y (1 - y).
void sigmoid_backward(const float* y, const float* d_y, float* d_x, std::int64_t n);
/// d_x += d_y where x > 0: the gradient at 0 is 0.
void relu_backward(const float* x, const float* d_y, float* d_x, std::int64_t n);
/// d_x += d_y s (1 + alpha x (1 - s)) with s = sigmoid(alpha x).
void swish_backward(const float* x, float alpha, const float* d_y, float* d_x, std::int64_t n);
/// d_x += d_y (Phi(x) + x phi(x)).
void gelu_erf_backward(const float* x, const float* d_y, float* d_x, std::int64_t n);
void gelu_tanh_backward(const float* x, const float* d_y, float* d_x, std::int64_t n);
/// d_x += d_y (1 - (y / cap)^2).
void soft_cap_backward(const float* y, float cap, const float* d_y, float* d_x, std::int64_t n);

/// y = silu(gate) up: d_gate += d_y up silu'(gate), d_up += d_y silu(gate). Either may be null.
void silu_multiply_backward(const float* gate, const float* up, const float* d_y, float* d_gate, float* d_up,
                            std::int64_t n);

/// One row of y = softmax(x / temperature): d_x += y (d_y - sum_j d_y_j y_j) / temperature.
void softmax_backward_row(const float* y, const float* d_y, float temperature, float* d_x, std::int64_t n);
/// One row of y = log_softmax(x): d_x += d_y - exp(y) sum_j d_y_j, which is 0 where x is -infinity.
void log_softmax_backward_row(const float* y, const float* d_y, float* d_x, std::int64_t n);

}  // namespace lookback::kernels
