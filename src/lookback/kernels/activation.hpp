// SPDX-License-Identifier: MIT
// Activation functions of one number; safe for every finite input and for infinities.
#pragma once

namespace lookback::kernels {

float sigmoid(float x);
/// x * sigmoid(alpha x); alpha 1 is SiLU. Ramachandran, Zoph, Le 2017; Hendrycks, Gimpel 2016.
float swish(float x, float alpha);
/// x * Phi(x), exact by erf. Hendrycks, Gimpel, "Gaussian Error Linear Units", 2016.
float gelu_erf(float x);
/// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the form GPT-2 uses ("gelu_new").
float gelu_tanh(float x);
float relu(float x);

}  // namespace lookback::kernels
