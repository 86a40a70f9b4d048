// SPDX-License-Identifier: MIT
// Greedy and beam decoding: both feed a batch of unfinished outputs through one step at a time.
#include "lookback/models/seq2seq/decoding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/softmax.hpp"
#include "lookback/models/seq2seq/config.hpp"
#include "lookback/tensor/softmax.hpp"

namespace lookback::models::seq2seq {

namespace {

void check_steps(std::int64_t most_steps) {
  if (most_steps < 0) throw ValueError(message("seq2seq: cannot decode ", most_steps, " steps"));
}

/// log p [B, V] of the next token. Throws StateError when they are not numbers.
Tensor log_probabilities_of(Tensor step_logits) {
  TensorBuilder logits(std::move(step_logits));
  const std::int64_t classes = logits.shape()[-1];
  for (std::int64_t row = 0; row < logits.shape()[0]; ++row) {
    logits.data()[row * classes + kPadding] = -std::numeric_limits<float>::infinity();
    logits.data()[row * classes + kStart] = -std::numeric_limits<float>::infinity();
  }
  Tensor result = log_softmax(std::move(logits).build());
  // One NaN or infinity among the logits makes its whole row NaN.
  for (std::int64_t row = 0; row < result.dim(0); ++row) {
    if (!std::isnan(result.data()[row * classes + kEnd])) continue;
    throw StateError("seq2seq: the model's numbers are not finite");
  }
  return result;
}

/// Without the columns of padding.
void keep_weights(Decoded& output, const Tensor& weights, std::int64_t row, std::size_t length) {
  if (weights.rank() != 2) return;
  const float* const first = weights.data() + row * weights.dim(1);
  output.weights.emplace_back(first, first + static_cast<std::ptrdiff_t>(length));
}

/// An output that may still grow, and what to feed next.
struct Beam {
  Decoded output;
  std::int64_t previous = kStart;
};

struct Candidate {
  std::size_t beam;
  std::int64_t token;
  double log_probability;
};

/// The best `count` continuations over all beams; ties to the earlier beam and the lower id.
std::vector<Candidate> best_candidates(const std::vector<Beam>& beams, const Tensor& log_probabilities,
                                       std::size_t count) {
  std::vector<Candidate> all;
  const std::int64_t classes = log_probabilities.dim(1);
  for (std::size_t b = 0; b < beams.size(); ++b) {
    for (std::int64_t token = kEnd; token < classes; ++token) {
      const float p = log_probabilities.data()[static_cast<std::int64_t>(b) * classes + token];
      all.push_back({b, token, beams[b].output.log_probability + static_cast<double>(p)});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.log_probability > b.log_probability; });
  all.resize(std::min(all.size(), count));
  return all;
}

double score_of(const Decoded& output, float alpha) {
  const auto tokens = static_cast<double>(output.ids.size() + (output.is_complete ? 1 : 0));
  return output.log_probability / std::pow(std::max(tokens, 1.0), static_cast<double>(alpha));
}

}  // namespace

std::vector<Decoded> decode_greedily(const EncoderDecoder& model, const std::vector<Ids>& sources,
                                     std::int64_t most_steps) {
  check_steps(most_steps);
  std::vector<Decoded> outputs(sources.size());
  if (sources.empty()) return outputs;
  const std::unique_ptr<Stepper> stepper = model.start(sources);
  Ids previous(sources.size(), kStart);
  std::size_t unfinished = sources.size();
  for (std::int64_t t = 0; t < most_steps && unfinished > 0; ++t) {
    Stepper::Step step = stepper->next(previous);
    const Tensor log_probabilities = log_probabilities_of(std::move(step.logits));
    for (std::size_t b = 0; b < outputs.size(); ++b) {
      if (outputs[b].is_complete) continue;
      const auto row = static_cast<std::int64_t>(b);
      const float* const p = log_probabilities.data() + row * log_probabilities.dim(1);
      const std::int64_t best = kernels::argmax_row(p, log_probabilities.dim(1));
      outputs[b].log_probability += static_cast<double>(p[best]);
      keep_weights(outputs[b], step.weights, row, sources[b].size());
      previous[b] = best;
      outputs[b].is_complete = best == kEnd;
      if (best == kEnd)
        --unfinished;
      else
        outputs[b].ids.push_back(best);
    }
  }
  return outputs;
}

std::vector<Decoded> decode_by_beam(const EncoderDecoder& model, const Ids& source, std::int64_t most_steps,
                                    std::int64_t width, float alpha) {
  check_steps(most_steps);
  if (width < 1) throw ValueError(message("seq2seq: a beam needs a width of 1 or more, got ", width));
  if (!std::isfinite(alpha)) throw ValueError(message("seq2seq: alpha must be finite, got ", alpha));
  const std::unique_ptr<Stepper> stepper = model.start({source});
  std::vector<Beam> beams(1);
  std::vector<Decoded> finished;
  for (std::int64_t t = 0; t < most_steps && !beams.empty(); ++t) {
    Ids previous;
    for (const Beam& beam : beams) previous.push_back(beam.previous);
    Stepper::Step step = stepper->next(previous);
    const Tensor log_probabilities = log_probabilities_of(std::move(step.logits));
    const std::size_t open =
        static_cast<std::size_t>(width) - std::min(finished.size(), static_cast<std::size_t>(width));
    std::vector<Beam> next;
    std::vector<std::int64_t> rows;
    for (const Candidate& best : best_candidates(beams, log_probabilities, open)) {
      Beam beam = beams[best.beam];
      keep_weights(beam.output, step.weights, static_cast<std::int64_t>(best.beam), source.size());
      beam.output.log_probability = best.log_probability;
      beam.output.is_complete = best.token == kEnd;
      beam.previous = best.token;
      if (beam.output.is_complete) {
        finished.push_back(std::move(beam.output));
        continue;
      }
      beam.output.ids.push_back(best.token);
      rows.push_back(static_cast<std::int64_t>(best.beam));
      next.push_back(std::move(beam));
    }
    if (!rows.empty()) stepper->choose(rows);
    beams = std::move(next);
  }
  for (Beam& beam : beams) finished.push_back(std::move(beam.output));
  std::stable_sort(finished.begin(), finished.end(),
                   [alpha](const Decoded& a, const Decoded& b) { return score_of(a, alpha) > score_of(b, alpha); });
  return finished;
}

}  // namespace lookback::models::seq2seq
