// SPDX-License-Identifier: MIT
// Gradient descent: SGD, Adam, AdamW.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/nn/parameters.hpp"
#include "lookback/tensor/tape.hpp"

namespace lookback::training {

struct Sgd {
  float momentum = 0.0f;  ///< v = momentum v + g, w -= rate v
};

/// m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2, and at step t = 1, 2, ..
///   w -= rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon).
/// weight_decay: w -= rate weight_decay w apart from the gradient (AdamW), for tensors of two axes or more: biases and
/// norms do not decay. Kingma, Ba 2015; Loshchilov, Hutter, "Decoupled weight decay regularization", 2019.
struct Adam {
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
  float weight_decay = 0.0f;
};

/// The gradients of all parameters, in their order.
using GradientList = std::vector<Tensor>;
GradientList gradients_of(const Tape& tape, const nn::Parameters& parameters);

/// sqrt of the sum of all squares. NaN or infinity when one of them is.
float global_norm(const GradientList& gradients);

/// min(1, limit / norm), what gradients are multiplied by so that their norm stays within the limit; 1 for limit 0,
/// off, and for a norm of NaN. Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks",
/// 2013.
float clip_factor(float norm, float limit);

/// Changes parameters in place, where nobody else holds their numbers. Its moments are part of a run's state.
class Optimiser {
 public:
  /// Throw ValueError for a momentum or beta outside [0, 1), an epsilon not above 0, a negative decay.
  explicit Optimiser(const Sgd& options);
  explicit Optimiser(const Adam& options);

  /// One step against `factor` times the gradients. Throws ShapeError when they are not the parameters', ValueError for
  /// a rate that is negative or not finite; nothing has changed then.
  void step(const nn::Parameters& parameters, const GradientList& gradients, float rate, float factor = 1.0f);

  /// What a checkpoint keeps: the number of steps, and by parameter one moment (SGD with momentum) or two (Adam).
  struct State {
    std::int64_t steps = 0;
    std::vector<Tensor> moments{};  ///< empty before the first step
  };
  const State& state() const { return state_; }
  /// Goes on from there. Throws ShapeError in the next step when it belongs to another model.
  void restore(State state) { state_ = std::move(state); }

 private:
  std::size_t moments_each() const;
  void prepare(const nn::Parameters& parameters, const GradientList& gradients);

  bool is_adam_;
  Sgd sgd_{};
  Adam adam_{};
  State state_{};
};

}  // namespace lookback::training
