// SPDX-License-Identifier: MIT
// What does not depend on the step is computed for all steps at once: projections of the inputs before the loop, logits
// after it.
#include "lookback/models/seq2seq/model.hpp"

#include <algorithm>

#include "lookback/attention/additive_lookup.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/nn/dropout.hpp"
#include "lookback/nn/initialise.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/layout.hpp"

namespace lookback::models::seq2seq {

namespace {

std::vector<Ids> reversed(std::vector<Ids> sequences) {
  for (Ids& sequence : sequences) std::reverse(sequence.begin(), sequence.end());
  return sequences;
}

void check_batch(const Encoded& source, std::int64_t batch, std::int64_t steps) {
  const auto sources = static_cast<std::int64_t>(source.lengths.size());
  if (batch == sources && steps > 0) return;
  throw ShapeError(message("seq2seq: inputs of ", batch, " items and ", steps, " steps for ", sources, " sources"));
}

Tensor dropped(const Tensor& x, float rate, Random* random) { return random ? nn::dropout(x, rate, *random) : x; }

}  // namespace

Model::Model(const Config& config, Random& random) : config_(config) {
  config.check();
  const std::int64_t e = config.embedding, n = config.hidden, width = config.annotation_width();
  const bool attends = config.attention == Attention::additive;
  source_embedding_ = nn::make_embedding(config.source_vocabulary, e, random);
  target_embedding_ = nn::make_embedding(config.target_vocabulary, e, random);
  forward_ = nn::make_recurrent(e, n, config.num_gates(), random);
  if (config.is_bidirectional) reverse_ = nn::make_recurrent(e, n, config.num_gates(), random);
  first_hidden_ = nn::make_linear(attends ? n : width, n, nn::Bias::with, random);
  if (config.cell == Cell::lstm) first_cell_ = nn::make_linear(attends ? n : width, n, nn::Bias::with, random);
  if (attends) {
    attention_query_ = nn::make_linear(n, config.attention_hidden, nn::Bias::none, random);
    attention_key_ = nn::make_linear(width, config.attention_hidden, nn::Bias::none, random);
    attention_vector_ =
        nn::make_linear(config.attention_hidden, 1, nn::Bias::none, random).weight.reshape({config.attention_hidden});
  }
  nn::RecurrentWeights cell = nn::make_recurrent(e, n, config.num_gates(), random);
  input_ = std::move(cell.input);
  hidden_ = std::move(cell.hidden);
  if (attends) {
    input_context_ = nn::make_recurrent(width, n, config.num_gates(), random).input;
    input_context_->bias.reset();
  }
  output_ = nn::make_linear(n + e + (attends ? width : 0), config.target_vocabulary, nn::Bias::with, random);
}

nn::Parameters Model::parameters() {
  nn::Parameters result;
  const auto add = [&](const char* name, auto& part) { nn::collect(result, name, part); };
  const auto add_if = [&](const char* name, auto& part) {
    if (part) nn::collect(result, name, *part);
  };
  add("source_embedding", source_embedding_);
  add("target_embedding", target_embedding_);
  add_if("encoder.forward", forward_);
  add_if("encoder.reverse", reverse_);
  add("decoder.first_hidden", first_hidden_);
  add_if("decoder.first_cell", first_cell_);
  add_if("attention.query", attention_query_);
  add_if("attention.key", attention_key_);
  add("attention.vector", attention_vector_);
  add("decoder.input", input_);
  add_if("decoder.input_context", input_context_);
  add("decoder.hidden", hidden_);
  add("decoder.output", output_);
  return result;
}

Tensor Model::embed_sources(const std::vector<Ids>& sources, Random* random) const {
  const PaddedIds rows = padded(config_.reverses_source ? reversed(sources) : sources, kPadding, Order::by_item);
  const Tensor embedded = source_embedding_.forward(rows.ids).reshape({rows.batch, rows.steps, config_.embedding});
  return dropped(embedded, config_.dropout, random);
}

/// From the backward direction's last state, or without attention from those of all directions.
Tensor Model::first_state(const nn::Linear& map, const std::vector<SequenceState>& last, bool is_cell) const {
  std::vector<Tensor> states;
  for (const SequenceState& state : last) states.push_back(is_cell ? *state.cell : *state.hidden);
  const bool attends = config_.attention == Attention::additive;
  return tanh(map.forward(attends || states.size() == 1 ? states.back() : concat(states, -1)));
}

Encoded Model::encode(const std::vector<Ids>& sources, Random* random) const {
  Encoded result;
  for (const Ids& source : sources) result.lengths.push_back(static_cast<std::int64_t>(source.size()));
  result.embedded = embed_sources(sources, random);
  const nn::RecurrentOptions options{.lengths = result.lengths};
  const nn::RecurrentResult encoder =
      config_.cell == Cell::lstm ? nn::Lstm{forward_, reverse_}.forward(result.embedded, options)
                                 : nn::Gru{config_.reset, forward_, reverse_}.forward(result.embedded, options);
  result.annotations = encoder.output;
  if (attention_key_) result.projected = attention_key_->forward(result.annotations);
  result.state.hidden = first_state(first_hidden_, encoder.last, false);
  if (first_cell_) result.state.cell = first_state(*first_cell_, encoder.last, true);
  return result;
}

/// projected_input [B, gates N]: what y_{i-1} adds to the gates.
DecoderStep Model::advance(const Encoded& source, const SequenceState& state, const Tensor& projected_input) const {
  DecoderStep result;
  Tensor projection = projected_input;
  if (attention_query_) {
    const auto lookup = attention::additive_lookup(attention_query_->forward(*state.hidden), source.projected,
                                                   *attention_vector_, source.annotations, source.lengths);
    result.weights = lookup.weights;
    result.context = lookup.context;
    projection = add(input_context_->forward(lookup.context), projection);
  }
  const Tensor one_step = projection.reshape({projection.dim(0), 1, projection.dim(1)});
  const SequenceResult run = config_.cell == Cell::lstm
                                 ? lstm_sequence(one_step, hidden_.weight, hidden_.bias, state)
                                 : gru_sequence(one_step, hidden_.weight, hidden_.bias, state, config_.reset);
  result.state = run.last;
  return result;
}

Tensor Model::output(const Tensor& states, const Tensor& contexts, const Tensor& embedded) const {
  std::vector<Tensor> parts = {states};
  if (attention_query_) parts.push_back(contexts);
  parts.push_back(embedded);
  return output_.forward(concat(parts, -1));
}

Tensor Model::logits(const Encoded& source, const PaddedIds& inputs, Random* random,
                     std::vector<Tensor>* weights) const {
  check_batch(source, inputs.batch, inputs.steps);
  const Tensor embedded = dropped(target_embedding_.forward(inputs.ids), config_.dropout, random);
  const Tensor projected = input_.forward(embedded);
  std::vector<Tensor> states, contexts;
  SequenceState state = source.state;
  for (std::int64_t t = 0; t < inputs.steps; ++t) {
    const DecoderStep step = advance(source, state, slice(projected, 0, t * inputs.batch, (t + 1) * inputs.batch));
    state = step.state;
    states.push_back(*state.hidden);
    if (attention_query_) contexts.push_back(step.context);
    if (weights) weights->push_back(step.weights);
  }
  const Tensor all_states = dropped(concat(states, 0), config_.dropout, random);
  const Tensor rows = output(all_states, contexts.empty() ? Tensor() : concat(contexts, 0), embedded);
  return rows.reshape({inputs.steps, inputs.batch, config_.target_vocabulary});
}

DecoderStep Model::step(const Encoded& source, const SequenceState& state, const Ids& previous) const {
  check_batch(source, static_cast<std::int64_t>(previous.size()), 1);
  return advance(source, state, input_.forward(target_embedding_.forward(previous)));
}

Tensor Model::step_logits(const DecoderStep& step, const Ids& previous) const {
  return output(*step.state.hidden, step.context, target_embedding_.forward(previous));
}

}  // namespace lookback::models::seq2seq
