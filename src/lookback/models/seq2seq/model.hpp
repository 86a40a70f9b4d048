// SPDX-License-Identifier: MIT
// The recurrent encoder-decoder, with Bahdanau's attention or without any.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/models/seq2seq/batch.hpp"
#include "lookback/models/seq2seq/config.hpp"
#include "lookback/models/seq2seq/encoder_decoder.hpp"
#include "lookback/nn/parameters.hpp"
#include "lookback/tensor/recurrent.hpp"

namespace lookback::models::seq2seq {

/// What the decoder knows of a batch of sources.
struct Encoded {
  std::vector<std::int64_t> lengths;  ///< [B], of the sources
  Tensor embedded;                    ///< [B, S, E], what the encoder read
  Tensor annotations;                 ///< [B, S, annotation width]: h_j
  Tensor projected;                   ///< [B, S, A]: U_a h_j, once a sentence; empty without attention
  SequenceState state;                ///< the decoder's first state
};

/// One step of the decoder for a batch.
struct DecoderStep {
  SequenceState state;  ///< s_i
  Tensor weights;       ///< [B, S]: alpha_ij; empty without attention
  Tensor context;       ///< [B, annotation width]: c_i; empty without attention
};

/// h_j = encoder states of both directions, s_0 = tanh(W_s of the encoder's last states + b), and for each output
///   alpha_i = softmax(v_a . tanh(W_a s_{i-1} + U_a h_j)), c_i = sum_j alpha_ij h_j,
///   s_i = cell(s_{i-1}, [y_{i-1}; c_i]), logits_i = [s_i; c_i; y_{i-1}] W_o + b.
/// With attention the last state is that of the backward direction, as in the paper, where there is one. Without
/// attention there is no c_i, and s_0 is all that the decoder ever learns of the source. An LSTM's cell starts as its
/// hidden state does, by weights of its own.
/// Bahdanau, Cho, Bengio 2015, appendix A.2 (with a plain output layer); Sutskever, Vinyals, Le 2014 without attention.
class Model : public EncoderDecoder {
 public:
  /// Random weights. Throws ValueError for a bad config.
  Model(const Config& config, Random& random);

  const Config& config() const { return config_; }
  std::unique_ptr<EncoderDecoder> clone() const override { return std::make_unique<Model>(*this); }
  std::string description() const override;
  std::int64_t target_vocabulary() const override { return config_.target_vocabulary; }
  nn::Parameters parameters() override;
  Forced forced(const std::vector<Ids>& sources, const PaddedIds& inputs, Random* random) const override;
  std::vector<std::vector<float>> align(const Ids& source, const PaddedIds& inputs) const override;
  bool reads_from_the_end() const override { return config_.reverses_source; }
  std::unique_ptr<Stepper> start(const std::vector<Ids>& sources) const override;

  /// Throws RangeError for ids outside the vocabulary. An empty source gives the state that its zero state maps to.
  /// Dropout only with a `random`.
  Encoded encode(const std::vector<Ids>& sources, Random* random = nullptr) const;

  /// Logits [T, B, V] of all steps when the decoder is fed `inputs` (by time, kStart first).
  /// weights: T times [B, S] on request, for a picture; nothing follows from them on a tape. Columns are in the
  /// order in which the encoder read. Throws ShapeError for another number of items than sources and for no steps.
  Tensor logits(const Encoded& source, const PaddedIds& inputs, Random* random = nullptr,
                std::vector<Tensor>* weights = nullptr) const;

  /// One step from `state` with the tokens chosen before, [B]; and its logits [B, V].
  DecoderStep step(const Encoded& source, const SequenceState& state, const Ids& previous) const;
  Tensor step_logits(const DecoderStep& step, const Ids& previous) const;

 private:
  Tensor embed_sources(const std::vector<Ids>& sources, Random* random) const;
  Tensor first_state(const nn::Linear& map, const std::vector<SequenceState>& last, bool is_cell) const;
  DecoderStep advance(const Encoded& source, const SequenceState& state, const Tensor& projected_input) const;
  Tensor output(const Tensor& states, const Tensor& contexts, const Tensor& embedded) const;

  Config config_;
  nn::Embedding source_embedding_, target_embedding_;
  std::optional<nn::RecurrentWeights> forward_, reverse_;
  nn::Linear first_hidden_;
  std::optional<nn::Linear> first_cell_;
  std::optional<nn::Linear> attention_query_, attention_key_;
  std::optional<Tensor> attention_vector_;
  nn::Linear input_;                         ///< of y_{i-1}, with the bias
  std::optional<nn::Linear> input_context_;  ///< of c_i
  nn::Linear hidden_;                        ///< of s_{i-1}
  nn::Linear output_;                        ///< of [s_i; c_i; y_{i-1}]
};

}  // namespace lookback::models::seq2seq
