// SPDX-License-Identifier: MIT
// From logits to the next token: temperature, top-k and top-p as steps that can be put together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/io/vocabulary.hpp"

namespace lookback::models {

struct Candidate {
  io::TokenId token = 0;
  double probability = 0.0;
};

/// softmax(logits / temperature) in token order; temperature 0 gives probability 1 to the largest logit, the lowest id
/// on a tie. +infinity takes all. Throws ValueError for a temperature that is negative or not finite, for NaN among the
/// logits, and when every logit is -infinity.
std::vector<Candidate> with_temperature(std::span<const float> logits, double temperature);

/// Leaves the k most probable, the lower id first on a tie; 0 leaves all. Throws ValueError for a negative k.
/// The order afterwards is by token.
void keep_top_k(std::vector<Candidate>& candidates, std::int64_t k);

/// Leaves the smallest set of most probable candidates whose share of the total reaches p, at least one; p = 1 leaves
/// all. Throws ValueError outside [0, 1]. The order afterwards is by token. Holtzman et al., "The Curious Case of
/// Neural Text Degeneration", 2020.
void keep_top_p(std::vector<Candidate>& candidates, double p);

/// Index of the candidate drawn by r in [0, 1): the first whose cumulated share lies above r; never one of probability
/// 0.
std::size_t draw(std::span<const Candidate> candidates, double r);

/// Repetition penalty: l / p for positive, l * p for other logits of each distinct token of the history, once.
/// Throws ValueError unless p is finite and above 0, RangeError for a token outside the logits.
/// Keskar et al., "CTRL", 2019, section 4.1.
void penalize_repetition(std::span<float> logits, std::span<const io::TokenId> history, float penalty);

struct SamplerOptions {
  double temperature = 1.0;  ///< 0 takes the most likely token; finite, not negative
  std::int64_t top_k = 0;    ///< 0 is off
  double top_p = 1.0;        ///< 1 is off, 0 leaves one token
  std::uint64_t seed = 0;    ///< 0 stands for a fixed number
};

struct Alternative {
  io::TokenId token = 0;
  double probability = 0.0;  ///< after temperature, before top-k and top-p
  bool is_kept = false;      ///< still there after top-k and top-p
};

struct Sample {
  io::TokenId token = 0;
  double log_probability = 0.0;  ///< of the token under the model, at temperature 1
  std::vector<Alternative> top;  ///< the most probable tokens, the largest first; ties by id
};

class Sampler {
 public:
  /// Throws ValueError for an option outside its range.
  explicit Sampler(const SamplerOptions& options);

  /// Draws the next token; one random number is used for each call, also at temperature 0.
  Sample sample(std::span<const float> logits, std::int64_t num_alternatives = 0);

 private:
  SamplerOptions options_;
  Random random_;
};

/// log softmax(logits)[token], in double. Throws RangeError for a token outside the logits.
double log_probability(std::span<const float> logits, io::TokenId token);

}  // namespace lookback::models
