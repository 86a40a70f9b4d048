// SPDX-License-Identifier: MIT
// Draws in the order in which a layer lists its parameters.
#include "lookback/nn/initialise.hpp"

#include <cmath>

namespace lookback::nn {

namespace {

template <typename Draw>
Tensor filled(const Shape& shape, Draw draw) {
  TensorBuilder result(shape);
  for (std::int64_t i = 0; i < shape.num_elements(); ++i) result.data()[i] = draw();
  return std::move(result).build();
}

Linear uniform_linear(std::int64_t in, std::int64_t out, Bias bias, float bound, Random& random) {
  Linear layer{.weight = uniform({in, out}, bound, random)};
  if (bias == Bias::with) layer.bias = uniform({out}, bound, random);
  return layer;
}

float inverse_root(std::int64_t n) { return 1.0f / std::sqrt(static_cast<float>(n)); }

}  // namespace

Tensor uniform(const Shape& shape, float bound, Random& random) {
  return filled(shape, [&] { return bound * (2.0f * random.uniform() - 1.0f); });
}

Tensor normal(const Shape& shape, float deviation, Random& random) {
  return filled(shape, [&] { return deviation * random.normal(); });
}

Linear make_linear(std::int64_t in, std::int64_t out, Bias bias, Random& random) {
  return uniform_linear(in, out, bias, inverse_root(in), random);
}

Embedding make_embedding(std::int64_t rows, std::int64_t width, Random& random) {
  return {.table = normal({rows, width}, 1.0f, random)};
}

RecurrentWeights make_recurrent(std::int64_t in, std::int64_t hidden, std::int64_t gates, Random& random) {
  const float bound = inverse_root(hidden);
  Linear input = uniform_linear(in, gates * hidden, Bias::with, bound, random);
  return {std::move(input), uniform_linear(hidden, gates * hidden, Bias::with, bound, random)};
}

}  // namespace lookback::nn
