// SPDX-License-Identifier: MIT
// What a recurrent encoder-decoder is made of.
#pragma once

#include <cstdint>

#include "lookback/kernels/recurrent.hpp"

namespace lookback::models::seq2seq {

enum class Cell { gru, lstm };
enum class Attention { none, additive };

/// Token ids that every vocabulary begins with.
inline constexpr std::int64_t kPadding = 0;
inline constexpr std::int64_t kStart = 1;
inline constexpr std::int64_t kEnd = 2;
inline constexpr std::int64_t kFirstSymbol = 3;

/// Letters here: E embedding width, N state width, A hidden width of the attention's score.
struct Config {
  std::int64_t source_vocabulary = 0;
  std::int64_t target_vocabulary = 0;
  std::int64_t embedding = 32;         ///< E
  std::int64_t hidden = 64;            ///< N, of each direction of the encoder and of the decoder
  std::int64_t attention_hidden = 64;  ///< A
  Cell cell = Cell::gru;
  kernels::GruReset reset = kernels::GruReset::after;
  bool is_bidirectional = true;
  Attention attention = Attention::additive;
  /// The encoder reads each source from its end, so that its first words are the freshest: Sutskever, Vinyals, Le,
  /// "Sequence to Sequence Learning with Neural Networks", 2014, section 3.3.
  bool reverses_source = false;
  float dropout = 0.0f;  ///< on embeddings and on what the logits are made of, in training

  std::int64_t annotation_width() const { return (is_bidirectional ? 2 : 1) * hidden; }
  std::int64_t num_gates() const { return cell == Cell::lstm ? 4 : 3; }

  /// Throws ValueError naming the field and its value.
  void check() const;
};

}  // namespace lookback::models::seq2seq
