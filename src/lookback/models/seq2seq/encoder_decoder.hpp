// SPDX-License-Identifier: MIT
// What decoding and training need of an encoder-decoder, whatever it is made of.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/models/seq2seq/batch.hpp"
#include "lookback/nn/parameters.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::models::seq2seq {

/// The decoder at work on a batch of sources, one token at a time.
class Stepper {
 public:
  struct Step {
    Tensor logits;   ///< [B, V] of the next token
    Tensor weights;  ///< [B, S]: attention over the source, in its own order; empty without attention
  };

  virtual ~Stepper() = default;
  /// Feeds the token chosen before, kStart first, to each row. Throws RangeError for ids outside the vocabulary.
  virtual Step next(const Ids& previous) = 0;
  /// Goes on with these rows, some perhaps more than once and some not at all: what beams need.
  virtual void choose(const std::vector<std::int64_t>& rows) = 0;
};

class EncoderDecoder {
 public:
  /// All steps at once, the decoder being fed the right tokens.
  struct Forced {
    Tensor logits;    ///< [T, B, V]
    Tensor embedded;  ///< [B, S, E], what the encoder read, in the order in which it did
  };

  virtual ~EncoderDecoder() = default;
  virtual std::unique_ptr<EncoderDecoder> clone() const = 0;
  /// The kind and all sizes: equal where parameters may be exchanged.
  virtual std::string description() const = 0;
  virtual std::int64_t target_vocabulary() const = 0;
  /// In a fixed order; valid while the model stays where it is.
  virtual nn::Parameters parameters() = 0;

  /// `inputs` by time, kStart first. Dropout only with a `random`. Throws RangeError for ids outside the vocabularies,
  /// ShapeError for another number of items than sources and for no steps.
  virtual Forced forced(const std::vector<Ids>& sources, const PaddedIds& inputs, Random* random) const = 0;
  /// The attention weights of one item's steps, [T][S], in the source's own order; empty without attention.
  virtual std::vector<std::vector<float>> align(const Ids& source, const PaddedIds& inputs) const = 0;
  /// Whether the encoder reads its sources from their ends.
  virtual bool reads_from_the_end() const = 0;
  virtual std::unique_ptr<Stepper> start(const std::vector<Ids>& sources) const = 0;
};

}  // namespace lookback::models::seq2seq
