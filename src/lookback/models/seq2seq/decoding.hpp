// SPDX-License-Identifier: MIT
// From a source to an output, token by token.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/models/seq2seq/encoder_decoder.hpp"

namespace lookback::models::seq2seq {

struct Decoded {
  Ids ids{};                                  ///< without start and end
  bool is_complete = false;                   ///< the end token came within the steps allowed
  double log_probability = 0.0;               ///< of ids, and of the end token when it came
  std::vector<std::vector<float>> weights{};  ///< by output token and for the end token [S], in the source's own
                                              ///< order; empty without attention
};

/// The likeliest token at every step, ties to the lowest id; for a batch. Stops at kEnd or after `most_steps` tokens.
/// Padding and the start token are never chosen. Throws ValueError for most_steps below 0, RangeError for ids outside
/// the vocabulary, StateError when the model gives NaN or infinity.
std::vector<Decoded> decode_greedily(const EncoderDecoder& model, const std::vector<Ids>& sources,
                                     std::int64_t most_steps);

/// The `width` likeliest outputs found by beam search, best first, by log probability over (number of tokens)^alpha
/// (alpha 0: the plain log probability). Width 1 is decode_greedily. Throws as it does, and ValueError for a
/// width below 1 or an alpha that is not finite.
/// Graves, "Sequence transduction with recurrent neural networks", 2012; Wu et al. 2016 for dividing by length.
std::vector<Decoded> decode_by_beam(const EncoderDecoder& model, const Ids& source, std::int64_t most_steps,
                                    std::int64_t width, float alpha = 0.0f);

}  // namespace lookback::models::seq2seq
