// SPDX-License-Identifier: MIT
// GRU whose reset gate acts on what the weights made of the state: one product a step.
#include "lookback/kernels/gru_kernels.hpp"
#include "lookback/kernels/recurrent_rows.hpp"
#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

using namespace recurrent;

namespace {

/// One item's step: rows of 3 N, and of N.
struct GruRow {
  const float* projection;
  const float* product;  ///< h R + b
  const float* hidden;
  float* gates;
  float* candidate;
  float* next_hidden;
  float* output;
};

void gru_row(const GruRow& row, std::int64_t n) {
  const Sigmoid sigmoid;
  const Tanh tanh;
  for_lanes(n, [&](Lanes lanes) {
    const Vec r = sigmoid(add(lanes.of(row.projection), lanes.of(row.product)));
    const Vec z = sigmoid(add(lanes.of(row.projection + n), lanes.of(row.product + n)));
    const Vec candidate = lanes.of(row.product + 2 * n);
    const Vec fresh = tanh(mul_add(r, candidate, lanes.of(row.projection + 2 * n)));
    const Vec h = mul_add(z, lanes.of(row.hidden), mul(rest_of(z), fresh));
    lanes.put(row.gates, r);
    lanes.put(row.gates + n, z);
    lanes.put(row.gates + 2 * n, fresh);
    lanes.put(row.candidate, candidate);
    lanes.put(row.next_hidden, h);
    lanes.put(row.output, h);
  });
}

struct GruRowBack {
  const float* gates;
  const float* candidate;
  const float* hidden;
  const float* d_output;  ///< null: zeros
  float* d_hidden;        ///< in: of h'; out: of h, but for what the product gives
  float* d_product;
  float* d_projection;
};

void gru_row_back(const GruRowBack& row, std::int64_t n) {
  for_lanes(n, [&](Lanes lanes) {
    const Vec r = lanes.of(row.gates);
    const Vec z = lanes.of(row.gates + n);
    const Vec fresh = lanes.of(row.gates + 2 * n);
    Vec d_h = lanes.of(row.d_hidden);
    if (row.d_output) d_h = add(d_h, lanes.of(row.d_output));
    // h' = (1 - z) n + z h
    const Vec d_z = sigmoid_gradient(z, mul(d_h, sub(lanes.of(row.hidden), fresh)));
    const Vec d_n = tanh_gradient(fresh, mul(d_h, rest_of(z)));
    // n = tanh(p_n + r candidate)
    const Vec d_r = sigmoid_gradient(r, mul(d_n, lanes.of(row.candidate)));
    lanes.put(row.d_hidden, mul(d_h, z));
    lanes.put(row.d_projection, d_r);
    lanes.put(row.d_projection + n, d_z);
    lanes.put(row.d_projection + 2 * n, d_n);
    lanes.put(row.d_product, d_r);
    lanes.put(row.d_product + n, d_z);
    lanes.put(row.d_product + 2 * n, mul(d_n, r));
  });
}

}  // namespace

std::int64_t gru_after_scratch(const RecurrentRun& run) {
  return run.batch * 3 * run.width + StepProduct(run, 3 * run.width).scratch();
}

void gru_after_forward(const RecurrentRun& run, const float* projection, const RecurrentWeights& weights,
                       const GruTrace& trace, float* output, float* scratch) {
  const std::int64_t n = run.width;
  float* products = scratch;
  float* room = products + run.batch * 3 * n;
  for (std::int64_t count = 0; count < run.steps; ++count) {
    const std::int64_t t = step_at(run, count);
    const float* hidden = trace.hiddens + before(run, 0, t);
    StepProduct(run, 3 * n).compute(hidden, weights.hidden_weight, weights.hidden_bias, products, room);
    const auto active = [&](std::int64_t item, std::int64_t row) {
      gru_row({projection + row * 3 * n, products + item * 3 * n, hidden + item * n, trace.gates + row * 3 * n,
               trace.candidates + row * n, trace.hiddens + after(run, item, t), output + row * n},
              n);
    };
    const auto idle = [&](std::int64_t item, std::int64_t row) {
      std::copy_n(hidden + item * n, n, trace.hiddens + after(run, item, t));
      std::fill_n(output + row * n, n, 0.0f);
    };
    for_items(run, t, active, idle);
  }
}

std::int64_t gru_after_backward_scratch(const RecurrentRun& run) {
  const std::int64_t n = run.width;
  return run.batch * (run.steps * 3 + 1) * n +
         std::max(StepProductBack(run, 3 * n).scratch(), WeightProduct(run, 3 * n).scratch());
}

void gru_after_backward(const RecurrentRun& run, const RecurrentWeights& weights, const GruTrace& trace,
                        const GruOutputGradients& incoming, const GruInputGradients& outgoing, float* scratch) {
  const std::int64_t n = run.width;
  const std::int64_t state = run.batch * n;
  float* d_hidden = scratch;
  float* d_products = d_hidden + state;  // [T, B, 3 N], as the states lie
  float* room = d_products + run.steps * state * 3;
  copy_or_zero(incoming.d_last_hidden, d_hidden, state);
  for (std::int64_t count = run.steps - 1; count >= 0; --count) {
    const std::int64_t t = step_at(run, count);
    float* d_step = d_products + t * state * 3;
    const auto active = [&](std::int64_t item, std::int64_t row) {
      gru_row_back({trace.gates + row * 3 * n, trace.candidates + row * n, trace.hiddens + before(run, item, t),
                    row_of(incoming.d_output, row, n), d_hidden + item * n, d_step + item * 3 * n,
                    outgoing.d_projection + row * 3 * n},
                   n);
    };
    const auto idle = [&](std::int64_t item, std::int64_t row) {
      std::fill_n(d_step + item * 3 * n, 3 * n, 0.0f);
      std::fill_n(outgoing.d_projection + row * 3 * n, 3 * n, 0.0f);
    };
    for_items(run, t, active, idle);
    StepProductBack(run, 3 * n).compute(d_step, weights.hidden_weight, true, d_hidden, room);
  }
  add_to(outgoing.d_first_hidden, d_hidden, state);
  if (float* d_weight = outgoing.d_weights.d_hidden_weight) {
    WeightProduct(run, 3 * n).compute(trace.hiddens + before(run, 0, 0), d_products, true, d_weight, room);
  }
  if (float* d_bias = outgoing.d_weights.d_hidden_bias) add_rows(d_products, run.steps * run.batch, 3 * n, d_bias);
}

}  // namespace lookback::kernels
