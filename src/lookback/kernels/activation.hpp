// SPDX-License-Identifier: MIT
// Activation functions; safe for every finite input and for infinities.
#pragma once

#include <cstdint>

namespace lookback::kernels {

float sigmoid(float x);
/// x * sigmoid(alpha x); alpha 1 is SiLU. Ramachandran, Zoph, Le 2017; Hendrycks, Gimpel 2016.
float swish(float x, float alpha);
/// x * Phi(x), exact by erf. Hendrycks, Gimpel, "Gaussian Error Linear Units", 2016.
float gelu_erf(float x);
/// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the form GPT-2 uses ("gelu_new").
float gelu_tanh(float x);
float relu(float x);

/// The same of n numbers, by vectors: within 1e-6 of the larger of 1 and the result. x and output may be the same.
void sigmoid_row(const float* x, float* output, std::int64_t n);
void tanh_row(const float* x, float* output, std::int64_t n);
void swish_row(const float* x, float alpha, float* output, std::int64_t n);
/// output_i = silu(gate_i) up_i; output may be either operand. Shazeer, "GLU Variants Improve Transformer", 2020.
void silu_multiply_row(const float* gate, const float* up, float* output, std::int64_t n);
void gelu_tanh_row(const float* x, float* output, std::int64_t n);

}  // namespace lookback::kernels
