// SPDX-License-Identifier: MIT
#include "lookback/models/decoder/sampler.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>

#include "support/allclose.hpp"
#include "support/errors.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace lookback::models;
using lookback::io::TokenId;
using lookback::test::close_to;
using lookback::test::error_of;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<Candidate> candidates_of(const std::vector<double>& probabilities) {
  std::vector<Candidate> result;
  for (const double probability : probabilities) result.push_back({static_cast<TokenId>(result.size()), probability});
  return result;
}

std::vector<double> probabilities_of(const std::vector<Candidate>& candidates) {
  std::vector<double> result;
  for (const auto& candidate : candidates) result.push_back(candidate.probability);
  return result;
}

std::vector<TokenId> tokens_of(const std::vector<Candidate>& candidates) {
  std::vector<TokenId> result;
  for (const auto& candidate : candidates) result.push_back(candidate.token);
  return result;
}

std::vector<TokenId> nucleus(const std::vector<double>& probabilities, double p) {
  auto candidates = candidates_of(probabilities);
  keep_top_p(candidates, p);
  return tokens_of(candidates);
}

std::vector<TokenId> most_probable(const std::vector<float>& logits, std::int64_t k) {
  auto candidates = with_temperature(logits, 1.0);
  keep_top_k(candidates, k);
  return tokens_of(candidates);
}

TokenId sampled(const std::vector<float>& logits, const SamplerOptions& options) {
  return Sampler(options).sample(logits).token;
}

using Tokens = std::vector<TokenId>;
using Logits = std::vector<float>;

}  // namespace

TEST_CASE("sampler: temperature 0 takes the largest logit, the lowest id on a tie", "[models][sampler]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 99u);
  CHECK(sampled({1, 5, 2}, {.temperature = 0.0, .seed = seed}) == 1);
  CHECK(sampled({1, 5, 2}, {.temperature = 1e-30, .seed = seed}) == 1);
  CHECK(sampled({2, 5, 5}, {.temperature = 0.0, .seed = seed}) == 1);
  CHECK_THAT(probabilities_of(with_temperature(Logits{2, 5, 5}, 0.0)), close_to({0.0, 1.0, 0.0}));
}

TEST_CASE("sampler: temperatures that are no temperatures are refused", "[models][sampler]") {
  for (const double temperature : {-1.0, static_cast<double>(kNan), static_cast<double>(kInfinity)}) {
    CHECK_THAT(error_of([&] { return Sampler({.temperature = temperature}); }),
               ContainsSubstring("value: sampler: temperature should be"));
    CHECK_THAT(error_of([&] { return with_temperature(Logits{1, 2}, temperature); }), ContainsSubstring("temperature"));
  }
}

TEST_CASE("sampler: temperature divides the logits", "[models][sampler]") {
  CHECK_THAT(probabilities_of(with_temperature(Logits{1000, 1001, 1002}, 1.0)),
             close_to({.09003057, .24472847, .66524096}));
  CHECK_THAT(probabilities_of(with_temperature(Logits{0, 2, 4}, 2.0)), close_to({.09003057, .24472847, .66524096}));
}

TEST_CASE("sampler: top-k of the vocabulary or more, or 0, changes nothing", "[models][sampler]") {
  for (const std::int64_t k : {std::int64_t{0}, std::int64_t{3}, std::int64_t{4}, std::int64_t{1000000000}}) {
    CHECK(most_probable({1, 3, 2}, k) == Tokens{0, 1, 2});
  }
  CHECK(most_probable({1, 3, 2}, 1) == Tokens{1});
  CHECK_THAT(error_of([] { return Sampler({.top_k = -1}); }), ContainsSubstring("top_k"));
}

TEST_CASE("sampler: top-k keeps exactly k, the lowest ids on a tie", "[models][sampler]") {
  CHECK(most_probable({1, 2, 2, 2, 3}, 3) == Tokens{1, 2, 4});
  CHECK(most_probable({7, 7, 7, 7}, 1) == Tokens{0});
  CHECK(most_probable({7, 7, 7, 7}, 3) == Tokens{0, 1, 2});
}

TEST_CASE("sampler: top-p keeps the smallest set that reaches p", "[models][sampler]") {
  CHECK(nucleus({.4, .3, .2, .1}, .8) == Tokens{0, 1, 2});
  CHECK(nucleus({.1, .2, .4, .3}, .7) == Tokens{2, 3});
  CHECK(nucleus({.5, .25, .125, .125}, .75) == Tokens{0, 1});
  CHECK(nucleus({.5, .41, .09}, .9) == Tokens{0, 1});
  CHECK(nucleus({.4, .3, .2, .1}, 0.0) == Tokens{0});
  CHECK(nucleus({.5, .3, .2, 1e-12}, 1.0) == Tokens{0, 1, 2, 3});
  CHECK(nucleus({.25, .25, .25, .25}, .5) == Tokens{0, 1});
  for (const double p : {-0.1, 1.1, static_cast<double>(kNan)}) {
    CHECK_THAT(error_of([&] { return Sampler({.top_p = p}); }), ContainsSubstring("top_p"));
  }
}

TEST_CASE("sampler: a mass that is p on paper is not missed by rounding", "[models][sampler]") {
  auto candidates = with_temperature(Logits{std::log(.5f), std::log(.25f), std::log(.125f), std::log(.125f)}, 1.0);
  keep_top_p(candidates, .75);
  CHECK(tokens_of(candidates) == Tokens{0, 1});
}

TEST_CASE("sampler: NaN and impossible rows are errors, +infinity wins", "[models][sampler]") {
  CHECK_THAT(error_of([] {
               return sampled({kNan, 1, 5, 2}, {.temperature = 0.0});
             }),
             ContainsSubstring("value: ") && ContainsSubstring("token 0"));
  CHECK_THAT(error_of([] { return sampled({-kInfinity, -kInfinity}, {}); }), ContainsSubstring("value: "));
  CHECK_THAT(error_of([] { return sampled({}, {}); }), ContainsSubstring("value: "));
  CHECK(sampled({0, kInfinity}, {}) == 1);
  CHECK(sampled({0, kInfinity}, {.temperature = 0.0}) == 1);
  CHECK(sampled({-kInfinity, -3}, {}) == 1);
}

TEST_CASE("sampler: the penalty makes each token of the history less likely, once", "[models][sampler]") {
  Logits logits = {2, -1, .5f};
  penalize_repetition(logits, Tokens{0, 1, 1}, 2.0f);
  CHECK(logits == Logits{1, -2, .5f});
  CHECK_THAT(error_of([&] { return penalize_repetition(logits, Tokens{3}, 2.0f), 0; }),
             ContainsSubstring("range: ") && ContainsSubstring("3"));
  CHECK_THAT(error_of([&] { return penalize_repetition(logits, Tokens{0}, 0.0f), 0; }), ContainsSubstring("penalty"));
}

TEST_CASE("sampler: a draw never falls off the end and never takes what has no probability", "[models][sampler]") {
  CHECK(draw(candidates_of({.5, .5, 0, 0}), .99999994) == 1);
  CHECK(draw(candidates_of({0, 1}), 0.0) == 1);
  CHECK(draw(candidates_of(std::vector<double>(10, static_cast<double>(.1f))), .99999994) == 9);
  CHECK(draw(candidates_of({.5, .5}), .5) == 1);
  CHECK(draw(candidates_of({.5, .5}), .49999997) == 0);
  // After filtering the shares count, not the probabilities.
  CHECK(draw(candidates_of({.2, .2}), .75) == 1);
}

TEST_CASE("sampler: draws follow the distribution, and a seed repeats itself", "[models][sampler]") {
  const Logits logits = {std::log(.1f), std::log(.6f), std::log(.3f)};
  Sampler sampler({.seed = 7});
  Sampler again({.seed = 7});
  std::vector<double> counts(3);
  constexpr int num_draws = 20000;
  for (int i = 0; i < num_draws; ++i) {
    const TokenId token = sampler.sample(logits).token;
    CHECK(again.sample(logits).token == token);
    counts[static_cast<std::size_t>(token)] += 1.0 / num_draws;
  }
  // Four standard deviations of the most uncertain share, sqrt(.6 * .4 / 20000).
  CHECK_THAT(counts, close_to({.1, .6, .3}, {.014, 0.0}));
}

TEST_CASE("sampler: alternatives are ranked, and say what top-k and top-p left", "[models][sampler]") {
  const Logits logits = {std::log(.1f), std::log(.4f), std::log(.3f), std::log(.2f)};
  const Sample sample = Sampler({.top_k = 2, .seed = 3}).sample(logits, 3);
  REQUIRE(sample.top.size() == 3);
  CHECK(sample.top[0].token == 1);
  CHECK(sample.top[1].token == 2);
  CHECK(sample.top[2].token == 3);
  CHECK_THAT((std::vector<double>{sample.top[0].probability, sample.top[1].probability, sample.top[2].probability}),
             close_to({.4, .3, .2}));
  CHECK(sample.top[0].is_kept);
  CHECK(sample.top[1].is_kept);
  CHECK_FALSE(sample.top[2].is_kept);
  CHECK(Sampler({}).sample(logits, 10).top.size() == 4);
  CHECK(Sampler({}).sample(logits).top.empty());
}

TEST_CASE("sampler: the log-probability is that of temperature 1", "[models][sampler]") {
  const Logits logits = {std::log(.1f), std::log(.6f), std::log(.3f)};
  const Sample sample = Sampler({.temperature = 0.0}).sample(logits);
  CHECK_THAT((std::vector<double>{sample.log_probability, log_probability(logits, 0)}),
             close_to({std::log(.6), std::log(.1)}));
  CHECK_THAT(error_of([&] { return log_probability(logits, 3); }), ContainsSubstring("range: "));
}
