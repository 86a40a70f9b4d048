// SPDX-License-Identifier: MIT
// Recurrent sequences: checks, room for the steps' states, and the kernels.
#include "lookback/tensor/recurrent.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback {

namespace {

void check_lengths(const char* function, const std::vector<std::int64_t>& lengths, const Shape& shape) {
  if (lengths.empty()) return;
  const auto count = static_cast<std::int64_t>(lengths.size());
  if (count != shape[0]) throw ShapeError(message(function, ": ", count, " lengths for a batch of ", shape[0]));
  for (std::int64_t length : lengths) {
    if (length >= 0 && length <= shape[1]) continue;
    throw RangeError(message(function, ": length ", length, " is not from 0 to ", shape[1]));
  }
}

/// A tensor that fits, or none.
void check_fits(const char* function, const char* name, const std::optional<Tensor>& x, const Shape& wanted) {
  if (!x || x->shape() == wanted) return;
  throw ShapeError(message(function, ": ", name, " has shape ", x->shape(), ", needs ", wanted));
}

kernels::RecurrentRun checked_run(const char* function, std::int64_t gates, const Tensor& projection,
                                  const Tensor& hidden_weight, const std::optional<Tensor>& hidden_bias,
                                  const SequenceState& first, const SequenceOptions& options) {
  const Shape& shape = projection.shape();
  if (shape.rank() != 3 || shape[2] % gates != 0) {
    throw ShapeError(message(function, ": projection ", shape, " is not [B, T, ", gates, " N]"));
  }
  const std::int64_t width = shape[2] / gates;
  check_fits(function, "hidden weight", hidden_weight, {width, shape[2]});
  check_fits(function, "hidden bias", hidden_bias, {shape[2]});
  check_fits(function, "first hidden state", first.hidden, {shape[0], width});
  check_fits(function, "first cell state", first.cell, {shape[0], width});
  check_lengths(function, options.lengths, shape);
  return {.batch = shape[0],
          .steps = shape[1],
          .width = width,
          .is_reversed = options.is_reversed,
          .lengths = options.lengths.empty() ? nullptr : options.lengths.data()};
}

/// The states [T + 1, B, N] of a run, the first one filled in.
class States {
 public:
  States(const kernels::RecurrentRun& run, const std::optional<Tensor>& first)
      : run_(run), state_(run.batch * run.width), buffer_((run.steps + 1) * state_) {
    float* place = buffer_.data() + first_place(run) * state_;
    if (first)
      std::copy_n(first->data(), state_, place);
    else
      std::fill_n(place, state_, 0.0f);
  }
  float* data() { return buffer_.data(); }
  Tensor last() const {
    TensorBuilder result(Shape{run_.batch, run_.width});
    std::copy_n(buffer_.data() + last_place(run_) * state_, state_, result.data());
    return std::move(result).build();
  }

 private:
  const kernels::RecurrentRun& run_;
  std::int64_t state_;
  Buffer buffer_;
};

kernels::RecurrentWeights pointers(const Tensor& hidden_weight, const std::optional<Tensor>& hidden_bias) {
  return {hidden_weight.data(), hidden_bias ? hidden_bias->data() : nullptr};
}

}  // namespace

SequenceResult lstm_sequence(const Tensor& projection, const Tensor& hidden_weight,
                             const std::optional<Tensor>& hidden_bias, const SequenceState& first,
                             const SequenceOptions& options) {
  const kernels::RecurrentRun run = checked_run("lstm", 4, projection, hidden_weight, hidden_bias, first, options);
  TensorBuilder output(Shape{run.batch, run.steps, run.width});
  Buffer gates(projection.size());
  States hiddens(run, first.hidden);
  States cells(run, first.cell);
  lstm_forward(run, projection.data(), pointers(hidden_weight, hidden_bias),
               {gates.data(), hiddens.data(), cells.data()}, output.data(), scratch(lstm_scratch(run)));
  return {std::move(output).build(), {hiddens.last(), cells.last()}};
}

SequenceResult gru_sequence(const Tensor& projection, const Tensor& hidden_weight,
                            const std::optional<Tensor>& hidden_bias, const SequenceState& first,
                            kernels::GruReset reset, const SequenceOptions& options) {
  const kernels::RecurrentRun run = checked_run("gru", 3, projection, hidden_weight, hidden_bias, first, options);
  if (first.cell) throw ValueError("gru: its state has no cell");
  TensorBuilder output(Shape{run.batch, run.steps, run.width});
  Buffer gates(projection.size());
  Buffer candidates(reset == kernels::GruReset::after ? output.shape().num_elements() : 0);
  States hiddens(run, first.hidden);
  gru_forward(run, reset, projection.data(), pointers(hidden_weight, hidden_bias),
              {gates.data(), candidates.data(), hiddens.data()}, output.data(), scratch(gru_scratch(run, reset)));
  return {std::move(output).build(), {hiddens.last(), std::nullopt}};
}

}  // namespace lookback
