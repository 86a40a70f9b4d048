// SPDX-License-Identifier: MIT
// The recurrent model behind the interface of all encoder-decoders.
#include <algorithm>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/models/seq2seq/model.hpp"
#include "lookback/tensor/gather.hpp"

namespace lookback::models::seq2seq {

namespace {

/// Items of x by number, along the first axis.
Tensor items_of(const Tensor& x, const std::vector<std::int64_t>& items) {
  if (x.rank() < 2) return x;
  const Shape shape = x.shape().with(0, static_cast<std::int64_t>(items.size()));
  if (shape.num_elements() == 0) return Tensor::zeros(shape);
  return gather_rows(x.reshape({x.dim(0), x.size() / x.dim(0)}), items).reshape(shape);
}

std::optional<Tensor> items_of(const std::optional<Tensor>& x, const std::vector<std::int64_t>& items) {
  return x ? std::optional(items_of(*x, items)) : std::nullopt;
}

/// The first lengths_b columns of row b the other way round.
Tensor turned(const Tensor& weights, const std::vector<std::int64_t>& lengths) {
  TensorBuilder result(weights);
  float* row = result.data();
  for (const std::int64_t length : lengths) {
    std::reverse(row, row + length);
    row += weights.dim(1);
  }
  return std::move(result).build();
}

class RecurrentStepper : public Stepper {
 public:
  RecurrentStepper(const Model& model, const std::vector<Ids>& sources)
      : model_(model), source_(model.encode(sources)), state_(source_.state) {}

  Step next(const Ids& previous) override {
    const DecoderStep step = model_.step(source_, state_, previous);
    state_ = step.state;
    const bool is_turned = model_.reads_from_the_end() && step.weights.rank() == 2;
    return {model_.step_logits(step, previous), is_turned ? turned(step.weights, source_.lengths) : step.weights};
  }

  void choose(const std::vector<std::int64_t>& rows) override {
    std::vector<std::int64_t> lengths;
    for (const std::int64_t row : rows) lengths.push_back(source_.lengths[static_cast<std::size_t>(row)]);
    source_.lengths = std::move(lengths);
    for (Tensor* x : {&source_.embedded, &source_.annotations, &source_.projected}) *x = items_of(*x, rows);
    state_ = {items_of(state_.hidden, rows), items_of(state_.cell, rows)};
  }

 private:
  const Model& model_;
  Encoded source_;
  SequenceState state_;
};

}  // namespace

std::string Model::description() const {
  const Config& c = config_;
  return message(c.source_vocabulary, " to ", c.target_vocabulary, ", ", c.cell == Cell::lstm ? "lstm" : "gru", " ",
                 c.embedding, " ", c.hidden, " ", c.attention_hidden, c.is_bidirectional ? ", bidirectional" : "",
                 c.attention == Attention::none ? ", no attention" : "", c.reverses_source ? ", source reversed" : "",
                 c.reset == kernels::GruReset::before ? ", reset before" : "");
}

EncoderDecoder::Forced Model::forced(const std::vector<Ids>& sources, const PaddedIds& inputs, Random* random) const {
  const Encoded source = encode(sources, random);
  return {logits(source, inputs, random), source.embedded};
}

std::vector<std::vector<float>> Model::align(const Ids& source, const PaddedIds& inputs) const {
  if (config_.attention == Attention::none) return {};
  std::vector<Tensor> steps;
  logits(encode({source}), inputs, nullptr, &steps);
  std::vector<std::vector<float>> rows;
  for (const Tensor& step : steps) {
    rows.emplace_back(step.values().begin(), step.values().end());
    if (config_.reverses_source) std::reverse(rows.back().begin(), rows.back().end());
  }
  return rows;
}

std::unique_ptr<Stepper> Model::start(const std::vector<Ids>& sources) const {
  return std::make_unique<RecurrentStepper>(*this, sources);
}

}  // namespace lookback::models::seq2seq
