// SPDX-License-Identifier: MIT
// The position-wise network of a Transformer block.
#include "lookback/nn/feed_forward.hpp"

#include "lookback/tensor/elementwise.hpp"

namespace lookback::nn {

Tensor activate(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::relu: return relu(x);
    case Activation::gelu_erf: return gelu_erf(x);
    case Activation::gelu_tanh: return gelu_tanh(x);
    case Activation::swish: return swish(x);
  }
  return x;
}

Tensor FeedForward::forward(const Tensor& x) const {
  if (!gate) return down.forward(activate(up.forward(x), activation));
  if (activation == Activation::swish) return down.forward(silu_multiply(gate->forward(x), up.forward(x)));
  return down.forward(multiply(activate(gate->forward(x), activation), up.forward(x)));
}

}  // namespace lookback::nn
