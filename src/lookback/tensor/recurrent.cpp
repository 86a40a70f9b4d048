// SPDX-License-Identifier: MIT
// Recurrent sequences: checks, the trace of a run, forward and backward.
#include "lookback/tensor/recurrent.hpp"

#include <algorithm>
#include <memory>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/kernels/elementwise.hpp"
#include "lookback/tensor/tape.hpp"

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
  return {.batch = shape[0], .steps = shape[1], .width = width, .is_reversed = options.is_reversed};
}

/// A run, and what it leaves for the pass back; `run.lengths` lies in `lengths`.
struct Trace {
  Trace(const kernels::RecurrentRun& given, std::int64_t num_gates, std::int64_t num_candidates,
        const SequenceState& first, const SequenceOptions& options)
      : run(given),
        lengths(options.lengths),
        gates(given.batch * given.steps * num_gates * given.width, Fill::none),
        candidates(given.batch * given.steps * num_candidates * given.width, Fill::none),
        hiddens(num_states(), Fill::none),
        cells(num_gates == 4 ? num_states() : 0, Fill::none) {
    run.lengths = lengths.empty() ? nullptr : lengths.data();
    start(hiddens, first.hidden);
    if (cells.size()) start(cells, first.cell);
  }

  Tensor last(const Buffer& states) const {
    TensorBuilder result(Shape{run.batch, run.width});
    std::copy_n(states.data() + last_place(run) * run.batch * run.width, result.shape().num_elements(), result.data());
    return std::move(result).build();
  }

  kernels::LstmTrace lstm() { return {gates.data(), hiddens.data(), cells.data()}; }
  kernels::GruTrace gru() { return {gates.data(), candidates.data(), hiddens.data()}; }

  kernels::RecurrentRun run;
  std::vector<std::int64_t> lengths;
  Buffer gates, candidates, hiddens, cells;

 private:
  std::int64_t num_states() const { return (run.steps + 1) * run.batch * run.width; }
  void start(Buffer& states, const std::optional<Tensor>& first) const {
    const std::int64_t count = run.batch * run.width;
    float* const place = states.data() + first_place(run) * count;
    if (first)
      std::copy_n(first->data(), count, place);
    else
      std::fill_n(place, count, 0.0f);
  }
};

kernels::RecurrentWeights pointers(const Tensor& hidden_weight, const Tensor& hidden_bias) {
  return {hidden_weight.data(), hidden_bias.size() ? hidden_bias.data() : nullptr};
}

/// An operand that may be absent, as a tensor that nothing records.
Tensor or_none(const std::optional<Tensor>& x) { return x.value_or(Tensor()); }

/// The kernels add to all sinks but the projection's, which they overwrite.
struct ProjectionSink {
  ProjectionSink(Gradients& g, const Tensor& projection) : sink(g.into(projection)), size(projection.size()) {
    if (!sink.data || !sink.is_fresh) room.emplace(size, Fill::none);
  }
  float* data() { return room ? room->data() : sink.data; }
  void finish() {
    if (room && sink.data) kernels::accumulate(sink.data, room->data(), 1.0f, size);
  }

  Gradients::Sink sink;
  std::int64_t size;
  std::optional<Buffer> room{};
};

}  // namespace

SequenceResult lstm_sequence(const Tensor& projection, const Tensor& hidden_weight,
                             const std::optional<Tensor>& hidden_bias, const SequenceState& first,
                             const SequenceOptions& options) {
  const kernels::RecurrentRun run = checked_run("lstm", 4, projection, hidden_weight, hidden_bias, first, options);
  const auto trace = std::make_shared<Trace>(run, 4, 0, first, options);
  const Tensor bias = or_none(hidden_bias), first_hidden = or_none(first.hidden), first_cell = or_none(first.cell);
  TensorBuilder builder(Shape{run.batch, run.steps, run.width});
  lstm_forward(trace->run, projection.data(), pointers(hidden_weight, bias), trace->lstm(), builder.data(),
               scratch(lstm_scratch(run)));
  Tensor output = std::move(builder).build(), hidden = trace->last(trace->hiddens), cell = trace->last(trace->cells);
  if (Tape* tape = recording(projection, hidden_weight, bias, first_hidden, first_cell)) {
    tape->outputs(output, hidden, cell).record([=](Gradients& g) {
      ProjectionSink d_projection(g, projection);
      lstm_backward(trace->run, pointers(hidden_weight, bias), trace->lstm(), {g.of(output), g.of(hidden), g.of(cell)},
                    {.d_projection = d_projection.data(),
                     .d_weights = {g.add_into(hidden_weight), g.add_into(bias)},
                     .d_first_hidden = g.add_into(first_hidden),
                     .d_first_cell = g.add_into(first_cell)},
                    scratch(lstm_backward_scratch(trace->run)));
      d_projection.finish();
    });
  }
  return {output, {hidden, cell}};
}

SequenceResult gru_sequence(const Tensor& projection, const Tensor& hidden_weight,
                            const std::optional<Tensor>& hidden_bias, const SequenceState& first,
                            kernels::GruReset reset, const SequenceOptions& options) {
  const kernels::RecurrentRun run = checked_run("gru", 3, projection, hidden_weight, hidden_bias, first, options);
  if (first.cell) throw ValueError("gru: its state has no cell");
  const auto trace = std::make_shared<Trace>(run, 3, reset == kernels::GruReset::after ? 1 : 0, first, options);
  const Tensor bias = or_none(hidden_bias), first_hidden = or_none(first.hidden);
  TensorBuilder builder(Shape{run.batch, run.steps, run.width});
  gru_forward(trace->run, reset, projection.data(), pointers(hidden_weight, bias), trace->gru(), builder.data(),
              scratch(gru_scratch(run, reset)));
  Tensor output = std::move(builder).build(), hidden = trace->last(trace->hiddens);
  if (Tape* tape = recording(projection, hidden_weight, bias, first_hidden)) {
    tape->outputs(output, hidden).record([=](Gradients& g) {
      ProjectionSink d_projection(g, projection);
      gru_backward(trace->run, reset, pointers(hidden_weight, bias), trace->gru(), {g.of(output), g.of(hidden)},
                   {.d_projection = d_projection.data(),
                    .d_weights = {g.add_into(hidden_weight), g.add_into(bias)},
                    .d_first_hidden = g.add_into(first_hidden)},
                   scratch(gru_backward_scratch(trace->run, reset)));
      d_projection.finish();
    });
  }
  return {output, {hidden, std::nullopt}};
}

}  // namespace lookback
