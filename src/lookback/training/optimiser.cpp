// SPDX-License-Identifier: MIT
// Checks first, then every parameter in place.
#include "lookback/training/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/optimiser.hpp"

namespace lookback::training {

namespace {

void check_fraction(const char* name, float value) {
  if (!(value >= 0.0f && value < 1.0f)) throw ValueError(message("optimiser: ", name, " ", value, " is not in [0, 1)"));
}

/// 1 - beta^t, in double: beta is close to 1 and t large.
double correction(float beta, std::int64_t t) {
  return 1.0 - std::pow(static_cast<double>(beta), static_cast<double>(t));
}

/// Calls change(numbers of x), in place when nobody else holds them.
template <typename Change>
void change_in_place(Tensor& x, Change change) {
  TensorBuilder builder(std::exchange(x, Tensor()));
  change(builder.data());
  x = std::move(builder).build();
}

}  // namespace

GradientList gradients_of(const Tape& tape, const nn::Parameters& parameters) {
  GradientList gradients;
  for (const nn::Parameter& parameter : parameters) gradients.push_back(tape.gradient(*parameter.tensor));
  return gradients;
}

float global_norm(const GradientList& gradients) {
  double sum = 0.0;
  for (const Tensor& gradient : gradients) {
    for (float g : gradient.values()) sum += static_cast<double>(g) * static_cast<double>(g);
  }
  return static_cast<float>(std::sqrt(sum));
}

float clip_factor(float norm, float limit) { return limit == 0.0f ? 1.0f : std::min(1.0f, limit / (norm + 1e-6f)); }

Optimiser::Optimiser(const Sgd& options) : is_adam_(false), sgd_(options) {
  check_fraction("momentum", options.momentum);
}

Optimiser::Optimiser(const Adam& options) : is_adam_(true), adam_(options) {
  check_fraction("beta1", options.beta1);
  check_fraction("beta2", options.beta2);
  if (!(options.epsilon > 0.0f)) {
    throw ValueError(message("optimiser: epsilon must be above 0, got ", options.epsilon));
  }
  if (!(options.weight_decay >= 0.0f)) {
    throw ValueError(message("optimiser: weight decay must not be negative, got ", options.weight_decay));
  }
}

std::size_t Optimiser::moments_each() const { return is_adam_ ? 2 : sgd_.momentum > 0.0f ? 1 : 0; }

void Optimiser::prepare(const nn::Parameters& parameters, const GradientList& gradients) {
  const bool is_first = state_.moments.empty();
  if (gradients.size() != parameters.size() ||
      (!is_first && state_.moments.size() != parameters.size() * moments_each())) {
    throw ShapeError(message("optimiser: ", gradients.size(), " gradients and ", state_.moments.size(), " moments for ",
                             parameters.size(), " parameters"));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Shape& shape = parameters[i].tensor->shape();
    bool fits = gradients[i].shape() == shape;
    for (std::size_t m = 0; !is_first && m < moments_each(); ++m) {
      fits = fits && state_.moments[i * moments_each() + m].shape() == shape;
    }
    if (!fits) {
      throw ShapeError(message("optimiser: ", parameters[i].name, " ", shape, " and its gradient ",
                               gradients[i].shape(), " or moments must have the same shape"));
    }
  }
  if (!is_first) return;
  for (const nn::Parameter& parameter : parameters) {
    for (std::size_t m = 0; m < moments_each(); ++m) {
      state_.moments.push_back(Tensor::zeros(parameter.tensor->shape()));
    }
  }
}

void Optimiser::step(const nn::Parameters& parameters, const GradientList& gradients, float rate, float factor) {
  if (!(rate >= 0.0f) || !std::isfinite(rate)) {
    throw ValueError(message("optimiser: the learning rate must be finite and not negative, got ", rate));
  }
  prepare(parameters, gradients);
  ++state_.steps;
  const kernels::AdamStep adam{
      .beta1 = adam_.beta1,
      .beta2 = adam_.beta2,
      .epsilon = adam_.epsilon,
      .rate = static_cast<float>(static_cast<double>(rate) / correction(adam_.beta1, state_.steps)),
      .inverse_variance = static_cast<float>(1.0 / correction(adam_.beta2, state_.steps)),
      .decay = rate * adam_.weight_decay,
      .factor = factor};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const float* const g = gradients[i].data();
    const std::int64_t n = gradients[i].size();
    Tensor* const moments = state_.moments.data() + i * moments_each();
    kernels::AdamStep own = adam;
    if (parameters[i].tensor->rank() < 2) own.decay = 0.0f;
    change_in_place(*parameters[i].tensor, [&](float* w) {
      if (moments_each() == 0) return kernels::sgd_row(w, nullptr, g, rate, factor, 0.0f, n);
      change_in_place(moments[0], [&](float* first) {
        if (!is_adam_) return kernels::sgd_row(w, first, g, rate, factor, sgd_.momentum, n);
        change_in_place(moments[1], [&](float* second) { kernels::adam_row(w, first, second, g, own, n); });
      });
    });
  }
}

}  // namespace lookback::training
