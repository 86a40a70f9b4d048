// SPDX-License-Identifier: MIT
// Sampling in double precision; a heap finds the most probable tokens without sorting the vocabulary.
#include "lookback/models/decoder/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::models {

namespace {

// Logits are f32: probabilities made from them carry a relative error of this size, and a set whose mass is p on paper
// must not miss p by it.
constexpr double kMassTolerance = 1e-6;

bool is_less_probable(const Candidate& a, const Candidate& b) {
  return a.probability != b.probability ? a.probability < b.probability : a.token > b.token;
}

bool comes_first(const Candidate& a, const Candidate& b) { return a.token < b.token; }

double total(std::span<const Candidate> candidates) {
  double sum = 0.0;
  for (const auto& candidate : candidates) sum += candidate.probability;
  return sum;
}

/// The largest logit, after a look for NaN and for a row without any possible token.
double checked_maximum(std::span<const float> logits) {
  double maximum = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i])) throw ValueError(message("sampler: the logit of token ", i, " is not a number"));
    maximum = std::max(maximum, static_cast<double>(logits[i]));
  }
  if (maximum == -std::numeric_limits<double>::infinity()) {
    throw ValueError(message("sampler: none of the ", logits.size(), " tokens is possible, every logit is -infinity"));
  }
  return maximum;
}

void check_temperature(double temperature) {
  if (!(temperature >= 0.0) || !std::isfinite(temperature)) {
    throw ValueError(message("sampler: temperature should be 0 or more, it is ", temperature));
  }
}

void check_top_k(std::int64_t k) {
  if (k < 0) throw ValueError(message("sampler: top_k should be 0 (off) or more, it is ", k));
}

void check_top_p(double p) {
  if (!(p >= 0.0 && p <= 1.0)) throw ValueError(message("sampler: top_p should be 0 to 1, it is ", p));
}

std::vector<Alternative> most_probable(std::vector<Candidate> candidates, std::int64_t count) {
  const auto kept = std::min(candidates.size(), static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(kept);
  std::partial_sort(candidates.begin(), middle, candidates.end(),
                    [](const auto& a, const auto& b) { return is_less_probable(b, a); });
  std::vector<Alternative> result;
  for (auto candidate = candidates.begin(); candidate != middle; ++candidate)
    result.push_back({candidate->token, candidate->probability, false});
  return result;
}

}  // namespace

std::vector<Candidate> with_temperature(std::span<const float> logits, double temperature) {
  check_temperature(temperature);
  const double maximum = checked_maximum(logits);
  std::vector<Candidate> candidates(logits.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double logit = static_cast<double>(logits[i]);
    // Equal infinities have no difference; at temperature 0 only the first of the largest counts.
    const bool is_largest = logit == maximum;
    double weight = is_largest ? 1.0 : temperature == 0.0 ? 0.0 : std::exp((logit - maximum) / temperature);
    if (temperature == 0.0 && sum > 0.0) weight = 0.0;
    candidates[i] = {static_cast<io::TokenId>(i), weight};
    sum += weight;
  }
  for (auto& candidate : candidates) candidate.probability /= sum;
  return candidates;
}

void keep_top_k(std::vector<Candidate>& candidates, std::int64_t k) {
  check_top_k(k);
  if (k == 0 || static_cast<std::uint64_t>(k) >= candidates.size()) return;
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(k);
  std::nth_element(candidates.begin(), end - 1, candidates.end(),
                   [](const auto& a, const auto& b) { return is_less_probable(b, a); });
  candidates.erase(end, candidates.end());
  std::sort(candidates.begin(), candidates.end(), comes_first);
}

void keep_top_p(std::vector<Candidate>& candidates, double p) {
  check_top_p(p);
  if (p == 1.0 || candidates.empty()) return;
  const double wanted = (p - kMassTolerance) * total(candidates);
  std::make_heap(candidates.begin(), candidates.end(), is_less_probable);
  auto heap_end = candidates.end();
  double mass = 0.0;
  do {
    std::pop_heap(candidates.begin(), heap_end, is_less_probable);
    --heap_end;
    mass += heap_end->probability;
  } while (mass < wanted && heap_end != candidates.begin());
  candidates.erase(candidates.begin(), heap_end);
  std::sort(candidates.begin(), candidates.end(), comes_first);
}

std::size_t draw(std::span<const Candidate> candidates, double r) {
  const double threshold = r * total(candidates);
  double cumulated = 0.0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].probability <= 0.0) continue;
    last = i;
    cumulated += candidates[i].probability;
    if (threshold < cumulated) return i;
  }
  return last;
}

void penalize_repetition(std::span<float> logits, std::span<const io::TokenId> history, float penalty) {
  if (!(penalty > 0.0f) || !std::isfinite(penalty))
    throw ValueError(message("sampler: the penalty should be above 0, it is ", penalty));
  for (const io::TokenId token : std::set<io::TokenId>(history.begin(), history.end())) {
    if (token < 0 || static_cast<std::size_t>(token) >= logits.size()) {
      throw RangeError(message("sampler: token ", token, " is outside the ", logits.size(), " logits"));
    }
    float& logit = logits[static_cast<std::size_t>(token)];
    logit = logit > 0.0f ? logit / penalty : logit * penalty;
  }
}

double log_probability(std::span<const float> logits, io::TokenId token) {
  if (token < 0 || static_cast<std::size_t>(token) >= logits.size()) {
    throw RangeError(message("sampler: token ", token, " is outside the ", logits.size(), " logits"));
  }
  const double maximum = checked_maximum(logits);
  const auto shifted = [&](float logit) {
    return static_cast<double>(logit) == maximum ? 0.0 : static_cast<double>(logit) - maximum;
  };
  double sum = 0.0;
  for (const float logit : logits) sum += std::exp(shifted(logit));
  return shifted(logits[static_cast<std::size_t>(token)]) - std::log(sum);
}

Sampler::Sampler(const SamplerOptions& options) : options_(options), random_(options.seed) {
  check_temperature(options.temperature);
  check_top_k(options.top_k);
  check_top_p(options.top_p);
}

Sample Sampler::sample(std::span<const float> logits, std::int64_t num_alternatives) {
  const double r = static_cast<double>(random_.uniform());
  std::vector<Candidate> candidates = with_temperature(logits, options_.temperature);
  Sample sample;
  if (num_alternatives > 0) sample.top = most_probable(candidates, num_alternatives);
  keep_top_k(candidates, options_.top_k);
  keep_top_p(candidates, options_.top_p);
  for (auto& alternative : sample.top) {
    alternative.is_kept =
        std::binary_search(candidates.begin(), candidates.end(), Candidate{alternative.token, 0.0}, comes_first);
  }
  sample.token = candidates[draw(candidates, r)].token;
  sample.log_probability = log_probability(logits, sample.token);
  return sample;
}

}  // namespace lookback::models
