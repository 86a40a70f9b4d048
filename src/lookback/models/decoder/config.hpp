// SPDX-License-Identifier: MIT
// The numbers that describe a decoder of the Llama family.
#pragma once

#include <cstdint>
#include <string>

#include "lookback/io/model_file.hpp"
#include "lookback/kernels/rotary.hpp"

namespace lookback::models {

/// x = E[token]; for each layer: x += Wo attention(rotary(Wq n), rotary(Wk n), Wv n) with n = rms_norm(x);
/// x += W_down (silu(W_gate n) * W_up n) with n = rms_norm(x); logits = W_out rms_norm(x).
/// Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", 2023.
struct DecoderConfig {
  std::string architecture;       ///< "llama"
  std::string name;               ///< general.name of the file; may be empty
  std::int64_t layers = 0;        ///< L, 1 or more
  std::int64_t heads = 0;         ///< H query heads, 1 or more
  std::int64_t kv_heads = 0;      ///< G, divides heads
  std::int64_t head_dim = 0;      ///< K features a head; heads * head_dim need not be width
  std::int64_t width = 0;         ///< D
  std::int64_t feed_forward = 0;  ///< F
  std::int64_t vocabulary = 0;    ///< V
  std::int64_t context = 0;       ///< most tokens the model was made for
  std::int64_t rotary_width = 0;  ///< leading features of each head that turn; even, at most head_dim
  double rotary_base = 10000.0;   ///< above 0
  kernels::RotaryPairing rotary_pairing = kernels::RotaryPairing::interleaved;
  float norm_epsilon = 1e-5f;   ///< added to the mean square, inside the root; 0 or more
  bool is_output_tied = false;  ///< the output matrix is the embedding

  bool operator==(const DecoderConfig&) const = default;
};

/// Reads and checks the numbers, and checks that every tensor the model needs is there with the right shape.
/// Throws FormatError naming the key or tensor, what was expected and what was found; UnsupportedError for another
/// architecture, rotary scaling or experts.
DecoderConfig read_decoder_config(const io::ModelFile& file);

}  // namespace lookback::models
