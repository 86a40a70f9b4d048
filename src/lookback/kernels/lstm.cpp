// SPDX-License-Identifier: MIT
// LSTM, forward and backward.
#include "lookback/kernels/recurrent_rows.hpp"
#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

using namespace recurrent;

namespace {

/// One item's step: rows of 4 N, and of N.
struct LstmRow {
  const float* projection;
  const float* product;  ///< h R + b
  const float* cell;
  float* gates;
  float* next_cell;
  float* next_hidden;
  float* output;
};

void lstm_row(const LstmRow& row, std::int64_t n) {
  const Sigmoid sigmoid;
  const Tanh tanh;
  for_lanes(n, [&](Lanes lanes) {
    const auto sum = [&](std::int64_t gate) {
      return add(lanes.of(row.projection + gate * n), lanes.of(row.product + gate * n));
    };
    const Vec i = sigmoid(sum(0));
    const Vec f = sigmoid(sum(1));
    const Vec g = tanh(sum(2));
    const Vec o = sigmoid(sum(3));
    const Vec c = mul_add(f, lanes.of(row.cell), mul(i, g));
    const Vec h = mul(o, tanh(c));
    lanes.put(row.gates, i);
    lanes.put(row.gates + n, f);
    lanes.put(row.gates + 2 * n, g);
    lanes.put(row.gates + 3 * n, o);
    lanes.put(row.next_cell, c);
    lanes.put(row.next_hidden, h);
    lanes.put(row.output, h);
  });
}

/// One item's step: rows of 4 N, and of N.
struct LstmRowBack {
  const float* gates;
  const float* cell;
  const float* next_cell;
  const float* d_output;  ///< null: zeros
  float* d_hidden;        ///< in: of h'; out: zeros, for h gets its gradient from the gates
  float* d_cell;          ///< in: of c'; out: of c
  float* d_gates;
  float* d_projection;  ///< the same numbers in another order of rows
};

void lstm_row_back(const LstmRowBack& row, std::int64_t n) {
  const Tanh tanh;
  for_lanes(n, [&](Lanes lanes) {
    const Vec i = lanes.of(row.gates);
    const Vec f = lanes.of(row.gates + n);
    const Vec g = lanes.of(row.gates + 2 * n);
    const Vec o = lanes.of(row.gates + 3 * n);
    Vec d_h = lanes.of(row.d_hidden);
    if (row.d_output) d_h = add(d_h, lanes.of(row.d_output));
    // h' = o tanh(c')
    const Vec squashed = tanh(lanes.of(row.next_cell));
    const Vec d_o = mul(d_h, squashed);
    const Vec d_c = add(lanes.of(row.d_cell), tanh_gradient(squashed, mul(d_h, o)));
    // c' = f c + i g
    const Vec d_sums[] = {sigmoid_gradient(i, mul(d_c, g)), sigmoid_gradient(f, mul(d_c, lanes.of(row.cell))),
                          tanh_gradient(g, mul(d_c, i)), sigmoid_gradient(o, d_o)};
    for (std::int64_t gate = 0; gate < 4; ++gate) {
      lanes.put(row.d_gates + gate * n, d_sums[gate]);
      lanes.put(row.d_projection + gate * n, d_sums[gate]);
    }
    lanes.put(row.d_cell, mul(d_c, f));
    lanes.put(row.d_hidden, splat(0.0f));
  });
}

}  // namespace

std::int64_t lstm_scratch(const RecurrentRun& run) {
  return run.batch * 4 * run.width + StepProduct(run, 4 * run.width).scratch();
}

void lstm_forward(const RecurrentRun& run, const float* projection, const RecurrentWeights& weights,
                  const LstmTrace& trace, float* output, float* scratch) {
  const std::int64_t n = run.width;
  const StepProduct step(run, 4 * n);
  float* products = scratch;
  float* room = products + run.batch * 4 * n;
  for (std::int64_t count = 0; count < run.steps; ++count) {
    const std::int64_t t = step_at(run, count);
    step.compute(trace.hiddens + before(run, 0, t), weights.hidden_weight, weights.hidden_bias, products, room);
    const auto active = [&](std::int64_t item, std::int64_t row) {
      const std::int64_t to = after(run, item, t);
      lstm_row({projection + row * 4 * n, products + item * 4 * n, trace.cells + before(run, item, t),
                trace.gates + row * 4 * n, trace.cells + to, trace.hiddens + to, output + row * n},
               n);
    };
    const auto idle = [&](std::int64_t item, std::int64_t row) {
      std::copy_n(trace.hiddens + before(run, item, t), n, trace.hiddens + after(run, item, t));
      std::copy_n(trace.cells + before(run, item, t), n, trace.cells + after(run, item, t));
      std::fill_n(output + row * n, n, 0.0f);
    };
    for_items(run, t, active, idle);
  }
}

std::int64_t lstm_backward_scratch(const RecurrentRun& run) {
  const std::int64_t n = run.width;
  return run.batch * (run.steps * 4 + 2) * n +
         std::max(StepProductBack(run, 4 * n).scratch(), WeightProduct(run, 4 * n).scratch());
}

void lstm_backward(const RecurrentRun& run, const RecurrentWeights& weights, const LstmTrace& trace,
                   const LstmOutputGradients& incoming, const LstmInputGradients& outgoing, float* scratch) {
  const std::int64_t n = run.width;
  const std::int64_t state = run.batch * n;
  const StepProductBack step(run, 4 * n);
  float* d_hidden = scratch;
  float* d_cell = d_hidden + state;
  float* d_gates = d_cell + state;  // [T, B, 4 N], as the states lie
  float* room = d_gates + run.steps * state * 4;
  copy_or_zero(incoming.d_last_hidden, d_hidden, state);
  copy_or_zero(incoming.d_last_cell, d_cell, state);
  for (std::int64_t count = run.steps - 1; count >= 0; --count) {
    const std::int64_t t = step_at(run, count);
    float* d_step = d_gates + t * state * 4;
    const auto active = [&](std::int64_t item, std::int64_t row) {
      lstm_row_back({trace.gates + row * 4 * n, trace.cells + before(run, item, t), trace.cells + after(run, item, t),
                     row_of(incoming.d_output, row, n), d_hidden + item * n, d_cell + item * n, d_step + item * 4 * n,
                     outgoing.d_projection + row * 4 * n},
                    n);
    };
    const auto idle = [&](std::int64_t item, std::int64_t row) {
      std::fill_n(d_step + item * 4 * n, 4 * n, 0.0f);
      std::fill_n(outgoing.d_projection + row * 4 * n, 4 * n, 0.0f);
    };
    for_items(run, t, active, idle);
    step.compute(d_step, weights.hidden_weight, true, d_hidden, room);
  }
  add_to(outgoing.d_first_hidden, d_hidden, state);
  add_to(outgoing.d_first_cell, d_cell, state);
  if (float* d_weight = outgoing.d_weights.d_hidden_weight) {
    WeightProduct(run, 4 * n).compute(trace.hiddens + before(run, 0, 0), d_gates, true, d_weight, room);
  }
  if (float* d_bias = outgoing.d_weights.d_hidden_bias) add_rows(d_gates, run.steps * run.batch, 4 * n, d_bias);
}

}  // namespace lookback::kernels
