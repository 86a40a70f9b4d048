// SPDX-License-Identifier: MIT
// GRU whose reset gate acts on the state before the weights: the candidate's product waits for the gates.
#include "lookback/kernels/gru_kernels.hpp"
#include "lookback/kernels/recurrent_rows.hpp"
#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

using namespace recurrent;

namespace {

/// r, z, and r h for the candidate's product.
void gates_row(const float* projection, const float* product, const float* hidden, float* gates, float* reset_hidden,
               std::int64_t n) {
  const Sigmoid sigmoid;
  for_lanes(n, [&](Lanes lanes) {
    const Vec r = sigmoid(add(lanes.of(projection), lanes.of(product)));
    lanes.put(gates, r);
    lanes.put(gates + n, sigmoid(add(lanes.of(projection + n), lanes.of(product + n))));
    lanes.put(reset_hidden, mul(r, lanes.of(hidden)));
  });
}

struct StateRow {
  const float* projection;
  const float* candidate;  ///< (r h) R_n + b_n
  const float* hidden;
  float* gates;
  float* next_hidden;
  float* output;
};

void state_row(const StateRow& row, std::int64_t n) {
  const Tanh tanh;
  for_lanes(n, [&](Lanes lanes) {
    const Vec z = lanes.of(row.gates + n);
    const Vec fresh = tanh(add(lanes.of(row.projection + 2 * n), lanes.of(row.candidate)));
    const Vec h = mul_add(z, lanes.of(row.hidden), mul(rest_of(z), fresh));
    lanes.put(row.gates + 2 * n, fresh);
    lanes.put(row.next_hidden, h);
    lanes.put(row.output, h);
  });
}

struct StateRowBack {
  const float* gates;
  const float* hidden;
  const float* d_output;  ///< null: zeros
  float* d_hidden;        ///< in: of h'; out: of h by h' = .. + z h
  float* d_gates;         ///< 2 N; z is written
  float* d_candidate;
  float* reset_hidden;  ///< r h, once more
};

void state_row_back(const StateRowBack& row, std::int64_t n) {
  for_lanes(n, [&](Lanes lanes) {
    const Vec z = lanes.of(row.gates + n);
    const Vec fresh = lanes.of(row.gates + 2 * n);
    const Vec hidden = lanes.of(row.hidden);
    Vec d_h = lanes.of(row.d_hidden);
    if (row.d_output) d_h = add(d_h, lanes.of(row.d_output));
    // h' = (1 - z) n + z h
    lanes.put(row.d_gates + n, sigmoid_gradient(z, mul(d_h, sub(hidden, fresh))));
    lanes.put(row.d_candidate, tanh_gradient(fresh, mul(d_h, rest_of(z))));
    lanes.put(row.d_hidden, mul(d_h, z));
    lanes.put(row.reset_hidden, mul(lanes.of(row.gates), hidden));
  });
}

/// Through r h, whose gradient is d_reset.
void reset_row_back(const float* gates, const float* hidden, const float* d_reset, float* d_hidden, float* d_gates,
                    std::int64_t n) {
  for_lanes(n, [&](Lanes lanes) {
    const Vec r = lanes.of(gates);
    lanes.put(d_gates, sigmoid_gradient(r, mul(lanes.of(d_reset), lanes.of(hidden))));
    lanes.put(d_hidden, mul_add(lanes.of(d_reset), r, lanes.of(d_hidden)));
  });
}

/// Columns [first, first + cols) of weight [N, 3 N] from or to a matrix of their own.
void copy_columns(const float* weight, std::int64_t n, std::int64_t first, std::int64_t cols, float* output) {
  for (std::int64_t row = 0; row < n; ++row) std::copy_n(weight + row * 3 * n + first, cols, output + row * cols);
}
void add_columns(const float* x, std::int64_t n, std::int64_t first, std::int64_t cols, float* weight) {
  for (std::int64_t row = 0; row < n; ++row) add_rows(x + row * cols, 1, cols, weight + row * 3 * n + first);
}

/// R, taken apart: a product needs its matrix in one piece.
struct SplitWeight {
  float* gates;      ///< [N, 2 N]
  float* candidate;  ///< [N, N]

  static std::int64_t size(std::int64_t n) { return 3 * n * n; }
  SplitWeight(const float* weight, std::int64_t n, float* room) : gates(room), candidate(room + 2 * n * n) {
    copy_columns(weight, n, 0, 2 * n, gates);
    copy_columns(weight, n, 2 * n, n, candidate);
  }
};

/// What the steps' gradients come to: [T, B, ..], as the states lie.
struct StepGradients {
  float* d_gates;       ///< 2 N
  float* d_candidates;  ///< N
  float* reset_hidden;  ///< N
};

void weight_gradients(const RecurrentRun& run, const float* hiddens, const StepGradients& steps,
                      const RecurrentWeightGradients& outgoing, float* products, float* room) {
  const std::int64_t n = run.width;
  const std::int64_t rows = run.steps * run.batch;
  if (float* d_weight = outgoing.d_hidden_weight) {
    WeightProduct(run, 2 * n).compute(hiddens, steps.d_gates, false, products, room);
    add_columns(products, n, 0, 2 * n, d_weight);
    WeightProduct(run, n).compute(steps.reset_hidden, steps.d_candidates, false, products, room);
    add_columns(products, n, 2 * n, n, d_weight);
  }
  if (float* d_bias = outgoing.d_hidden_bias) {
    add_rows(steps.d_gates, rows, 2 * n, d_bias);
    add_rows(steps.d_candidates, rows, n, d_bias + 2 * n);
  }
}

/// Step t of the gradients in one row of [B, T, 3 N].
void write_projection(const float* d_gates, const float* d_candidate, float* d_projection, std::int64_t n) {
  std::copy_n(d_gates, 2 * n, d_projection);
  std::copy_n(d_candidate, n, d_projection + 2 * n);
}

}  // namespace

std::int64_t gru_before_scratch(const RecurrentRun& run) {
  const std::int64_t n = run.width;
  return SplitWeight::size(n) + run.batch * 4 * n +
         std::max(StepProduct(run, 2 * n).scratch(), StepProduct(run, n).scratch());
}

void gru_before_forward(const RecurrentRun& run, const float* projection, const RecurrentWeights& weights,
                        const GruTrace& trace, float* output, float* scratch) {
  const std::int64_t n = run.width;
  const SplitWeight split(weights.hidden_weight, n, scratch);
  const float* candidate_bias = weights.hidden_bias ? weights.hidden_bias + 2 * n : nullptr;
  float* products = scratch + SplitWeight::size(n);
  float* reset_hidden = products + run.batch * 2 * n;
  float* candidates = reset_hidden + run.batch * n;
  float* room = candidates + run.batch * n;
  for (std::int64_t count = 0; count < run.steps; ++count) {
    const std::int64_t t = step_at(run, count);
    const float* hidden = trace.hiddens + before(run, 0, t);
    StepProduct(run, 2 * n).compute(hidden, split.gates, weights.hidden_bias, products, room);
    const auto gate = [&](std::int64_t item, std::int64_t row) {
      gates_row(projection + row * 3 * n, products + item * 2 * n, hidden + item * n, trace.gates + row * 3 * n,
                reset_hidden + item * n, n);
    };
    for_items(run, t, gate, [&](std::int64_t item, std::int64_t) { std::fill_n(reset_hidden + item * n, n, 0.0f); });
    StepProduct(run, n).compute(reset_hidden, split.candidate, candidate_bias, candidates, room);
    const auto finish = [&](std::int64_t item, std::int64_t row) {
      state_row({projection + row * 3 * n, candidates + item * n, hidden + item * n, trace.gates + row * 3 * n,
                 trace.hiddens + after(run, item, t), output + row * n},
                n);
    };
    const auto idle = [&](std::int64_t item, std::int64_t row) {
      std::copy_n(hidden + item * n, n, trace.hiddens + after(run, item, t));
      std::fill_n(output + row * n, n, 0.0f);
    };
    for_items(run, t, finish, idle);
  }
}

std::int64_t gru_before_backward_scratch(const RecurrentRun& run) {
  const std::int64_t n = run.width;
  return SplitWeight::size(n) + run.batch * (run.steps * 4 + 2) * n +
         std::max({StepProductBack(run, 2 * n).scratch(), StepProductBack(run, n).scratch(),
                   WeightProduct(run, 2 * n).scratch(), WeightProduct(run, n).scratch()});
}

void gru_before_backward(const RecurrentRun& run, const RecurrentWeights& weights, const GruTrace& trace,
                         const GruOutputGradients& incoming, const GruInputGradients& outgoing, float* scratch) {
  const std::int64_t n = run.width;
  const std::int64_t state = run.batch * n;
  const SplitWeight split(weights.hidden_weight, n, scratch);
  float* d_hidden = scratch + SplitWeight::size(n);
  float* d_reset = d_hidden + state;
  const StepGradients steps{d_reset + state, d_reset + (1 + 2 * run.steps) * state,
                            d_reset + (1 + 3 * run.steps) * state};
  float* room = steps.reset_hidden + run.steps * state;
  copy_or_zero(incoming.d_last_hidden, d_hidden, state);
  for (std::int64_t count = run.steps - 1; count >= 0; --count) {
    const std::int64_t t = step_at(run, count);
    const float* hidden = trace.hiddens + before(run, 0, t);
    float* d_gates = steps.d_gates + t * state * 2;
    float* d_candidates = steps.d_candidates + t * state;
    float* reset_hidden = steps.reset_hidden + t * state;
    const auto state_back = [&](std::int64_t item, std::int64_t row) {
      state_row_back({trace.gates + row * 3 * n, hidden + item * n, row_of(incoming.d_output, row, n),
                      d_hidden + item * n, d_gates + item * 2 * n, d_candidates + item * n, reset_hidden + item * n},
                     n);
    };
    const auto idle = [&](std::int64_t item, std::int64_t) {
      std::fill_n(d_gates + item * 2 * n, 2 * n, 0.0f);
      std::fill_n(d_candidates + item * n, n, 0.0f);
      std::fill_n(reset_hidden + item * n, n, 0.0f);
    };
    for_items(run, t, state_back, idle);
    StepProductBack(run, n).compute(d_candidates, split.candidate, false, d_reset, room);
    const auto reset_back = [&](std::int64_t item, std::int64_t row) {
      reset_row_back(trace.gates + row * 3 * n, hidden + item * n, d_reset + item * n, d_hidden + item * n,
                     d_gates + item * 2 * n, n);
    };
    for_items(run, t, reset_back, [](std::int64_t, std::int64_t) {});
    for (std::int64_t item = 0; item < run.batch; ++item) {
      write_projection(d_gates + item * 2 * n, d_candidates + item * n,
                       outgoing.d_projection + (item * run.steps + t) * 3 * n, n);
    }
    StepProductBack(run, 2 * n).compute(d_gates, split.gates, true, d_hidden, room);
  }
  add_to(outgoing.d_first_hidden, d_hidden, state);
  weight_gradients(run, trace.hiddens + before(run, 0, 0), steps, outgoing.d_weights, split.gates, room);
}

}  // namespace lookback::kernels
