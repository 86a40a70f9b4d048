// SPDX-License-Identifier: MIT
// First weights of layers, drawn from a seeded generator.
#pragma once

#include <cstdint>

#include "lookback/core/random.hpp"
#include "lookback/nn/embedding.hpp"
#include "lookback/nn/linear.hpp"
#include "lookback/nn/recurrent.hpp"

namespace lookback::nn {

/// Uniform in [-bound, bound), and normal with that standard deviation.
Tensor uniform(const Shape& shape, float bound, Random& random);
Tensor normal(const Shape& shape, float deviation, Random& random);

enum class Bias { none, with };

/// Weights and bias uniform within 1 / sqrt(in), PyTorch's habit. LeCun, Bottou, Orr, Mueller, "Efficient BackProp",
/// 1998, have sqrt(3) times that.
Linear make_linear(std::int64_t in, std::int64_t out, Bias bias, Random& random);

/// Rows of standard normal numbers.
Embedding make_embedding(std::int64_t rows, std::int64_t width, Random& random);

/// One direction with `gates` gates (4 LSTM, 3 GRU), all uniform within 1 / sqrt(hidden).
RecurrentWeights make_recurrent(std::int64_t in, std::int64_t hidden, std::int64_t gates, Random& random);

}  // namespace lookback::nn
