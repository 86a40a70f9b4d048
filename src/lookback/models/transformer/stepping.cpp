// SPDX-License-Identifier: MIT
// The Transformer behind the interface of all encoder-decoders. Each step runs the decoder over what has been written
// so far: outputs here are short.
#include <algorithm>
#include <utility>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/models/seq2seq/config.hpp"
#include "lookback/models/transformer/model.hpp"
#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"

namespace lookback::models::transformer {

namespace {

/// The last of T steps: x [.., T, ..] with T along `axis` -> without that axis.
Tensor last_of(const Tensor& x, int axis) {
  const std::int64_t steps = x.dim(axis);
  const Tensor last = slice(x, axis, steps - 1, steps);
  return last.reshape({x.dim(axis == 0 ? 1 : 0), x.dim(2)});
}

class TransformerStepper : public seq2seq::Stepper {
 public:
  TransformerStepper(const Model& model, const std::vector<Ids>& sources)
      : model_(model), sources_(sources), source_(model.encode(sources)), written_(sources.size()) {}

  Step next(const Ids& previous) override {
    if (previous.size() != written_.size()) {
      throw ShapeError(message("transformer: ", previous.size(), " tokens for ", written_.size(), " sources"));
    }
    for (std::size_t b = 0; b < written_.size(); ++b) written_[b].push_back(previous[b]);
    Tensor weights;
    const PaddedIds inputs = seq2seq::padded(written_, seq2seq::kPadding, seq2seq::Order::by_time);
    const Tensor logits = model_.logits(source_, inputs, nullptr, &weights);
    return {last_of(logits, 0), last_of(weights, 1)};
  }

  void choose(const std::vector<std::int64_t>& rows) override {
    std::vector<Ids> sources, written;
    for (const std::int64_t row : rows) {
      sources.push_back(sources_[static_cast<std::size_t>(row)]);
      written.push_back(written_[static_cast<std::size_t>(row)]);
    }
    // A beam's rows have one source: nothing is to be encoded anew while their number stays.
    if (sources != sources_) source_ = model_.encode(sources);
    sources_ = std::move(sources);
    written_ = std::move(written);
  }

 private:
  const Model& model_;
  std::vector<Ids> sources_;
  Encoded source_;
  std::vector<Ids> written_;
};

}  // namespace

std::string Model::description() const {
  const Config& c = config_;
  return message(c.source_vocabulary, " to ", c.target_vocabulary, ", transformer ", c.width, " ", c.heads, " ",
                 c.feed_forward, " ", c.layers);
}

seq2seq::EncoderDecoder::Forced Model::forced(const std::vector<Ids>& sources, const PaddedIds& inputs,
                                              Random* random) const {
  const Encoded source = encode(sources, random);
  return {logits(source, inputs, random), source.embedded};
}

std::vector<std::vector<float>> Model::align(const Ids& source, const PaddedIds& inputs) const {
  Tensor weights;
  logits(encode({source}), inputs, nullptr, &weights);
  std::vector<std::vector<float>> rows;
  const std::int64_t columns = weights.dim(2);
  for (std::int64_t t = 0; t < weights.dim(1); ++t) {
    rows.emplace_back(weights.data() + t * columns, weights.data() + (t + 1) * columns);
  }
  return rows;
}

std::unique_ptr<seq2seq::Stepper> Model::start(const std::vector<Ids>& sources) const {
  return std::make_unique<TransformerStepper>(*this, sources);
}

}  // namespace lookback::models::transformer
