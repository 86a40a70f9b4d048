// SPDX-License-Identifier: MIT
// Token accuracy, exact matches, and how much of the alignment lies along the anti-diagonal.
#include "lookback/training/seq2seq_scores.hpp"

#include <algorithm>

namespace lookback::training {

namespace {

using namespace models::seq2seq;

std::int64_t matching_tokens(const Ids& output, const Ids& target) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < std::min(output.size(), target.size()); ++i) count += output[i] == target[i] ? 1 : 0;
  return count;
}

/// The mean over the target's rows of the weight that lies within one place of column S - 1 - row.
double band_mass(const Decoded& output, std::size_t rows) {
  double sum = 0.0;
  const std::size_t count = std::min(rows, output.weights.size());
  for (std::size_t row = 0; row < count; ++row) {
    const std::vector<float>& weights = output.weights[row];
    const auto middle = static_cast<std::int64_t>(weights.size()) - 1 - static_cast<std::int64_t>(row);
    for (std::int64_t j = std::max<std::int64_t>(middle - 1, 0); j <= middle + 1; ++j) {
      if (j < static_cast<std::int64_t>(weights.size()))
        sum += static_cast<double>(weights[static_cast<std::size_t>(j)]);
    }
  }
  return count ? sum / static_cast<double>(count) : 0.0;
}

}  // namespace

LengthScore score_length(const Model& model, const std::vector<Example>& examples, std::int64_t length) {
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
  double mass = 0.0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Ids& target = examples[i].target;
    tokens += static_cast<std::int64_t>(target.size());
    right += matching_tokens(outputs[i].ids, target);
    exact += outputs[i].is_complete && outputs[i].ids == target ? 1 : 0;
    mass += band_mass(outputs[i], target.size());
  }
  score.token_accuracy = static_cast<float>(right) / static_cast<float>(std::max<std::int64_t>(tokens, 1));
  score.exact_match = static_cast<float>(exact) / static_cast<float>(score.count);
  score.band_mass = static_cast<float>(mass / static_cast<double>(score.count));
  return score;
}

}  // namespace lookback::training
