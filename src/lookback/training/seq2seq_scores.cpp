// SPDX-License-Identifier: MIT
// Token accuracy, exact matches, and how much of the alignment lies along the anti-diagonal.
#include "lookback/training/seq2seq_scores.hpp"

#include <algorithm>
#include <cmath>

namespace lookback::training {

namespace {

using namespace models::seq2seq;

std::int64_t matching_tokens(const Ids& output, const Ids& target) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < std::min(output.size(), target.size()); ++i) count += output[i] == target[i] ? 1 : 0;
  return count;
}

/// How alignment weights lie about column S - 1 - row, the anti-diagonal; means over the target's rows.
struct Band {
  double mass = 0.0;  ///< within one place
  double lean = 0.0;  ///< mean place, to the right
};

Band band_of(const Decoded& output, std::size_t rows) {
  Band sum;
  const std::size_t count = std::min(rows, output.weights.size());
  for (std::size_t row = 0; row < count; ++row) {
    const std::vector<float>& weights = output.weights[row];
    const double middle = static_cast<double>(weights.size()) - 1.0 - static_cast<double>(row);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double place = static_cast<double>(j) - middle;
      const auto weight = static_cast<double>(weights[j]);
      if (std::abs(place) <= 1.0) sum.mass += weight;
      sum.lean += place * weight;
    }
  }
  const auto divisor = static_cast<double>(std::max<std::size_t>(count, 1));
  return {sum.mass / divisor, sum.lean / divisor};
}

}  // namespace

LengthScore score_length(const EncoderDecoder& model, const std::vector<Example>& examples, std::int64_t length) {
  LengthScore score{.length = length, .count = static_cast<std::int64_t>(examples.size())};
  if (examples.empty()) return score;
  std::vector<Ids> sources;
  std::size_t longest = 0;
  for (const Example& example : examples) {
    sources.push_back(example.source);
    longest = std::max(longest, example.target.size());
  }
  const std::vector<Decoded> outputs = decode_greedily(model, sources, static_cast<std::int64_t>(longest) + 1);
  std::int64_t tokens = 0, right = 0, exact = 0;
  double mass = 0.0, lean = 0.0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Ids& target = examples[i].target;
    tokens += static_cast<std::int64_t>(target.size());
    right += matching_tokens(outputs[i].ids, target);
    exact += outputs[i].is_complete && outputs[i].ids == target ? 1 : 0;
    const Band band = band_of(outputs[i], target.size());
    mass += band.mass;
    lean += band.lean;
  }
  score.token_accuracy = static_cast<float>(right) / static_cast<float>(std::max<std::int64_t>(tokens, 1));
  score.exact_match = static_cast<float>(exact) / static_cast<float>(score.count);
  score.lean = static_cast<float>(lean / static_cast<double>(score.count));
  score.band_mass = static_cast<float>(mass / static_cast<double>(score.count));
  return score;
}

}  // namespace lookback::training
