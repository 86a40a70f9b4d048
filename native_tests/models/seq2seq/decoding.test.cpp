// SPDX-License-Identifier: MIT
// Greedy and beam decoding: against each other, and against every output that there is.
#include "lookback/models/seq2seq/decoding.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "lookback/kernels/reference/row.hpp"
#include "models/seq2seq/small_model.hpp"
#include "support/errors.hpp"

using namespace lookback;
using namespace lookback::models::seq2seq;
using namespace lookback::test;

namespace {

const std::vector<Ids> kSources = {{3, 4, 5, 6}, {6, 5}, {4}, {3, 3, 6}};

/// Sharp enough that outputs differ.
Model sharp_model(const Config& config, std::uint64_t seed = 2) {
  Model model = small_model(config, seed);
  sharpen(model, 2.0f);
  return model;
}

/// Every output of at most `most` tokens with its log probability, depth first; best first.
class Exhaustive {
 public:
  Exhaustive(const Model& model, const Ids& source, std::size_t most)
      : model_(model), source_(model.encode({source})), most_(most) {
    grow({}, source_.state, kStart);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Decoded& a, const Decoded& b) { return a.log_probability > b.log_probability; });
  }
  const std::vector<Decoded>& found() const { return found_; }

 private:
  void grow(const Decoded& so_far, const SequenceState& state, std::int64_t previous) {
    if (so_far.is_complete || so_far.ids.size() == most_) return found_.push_back(so_far);
    const DecoderStep step = model_.step(source_, state, {previous});
    const Tensor logits = model_.step_logits(step, {previous});
    // Padding and start are not to choose from.
    const std::vector<double> p =
        kernels::reference::log_softmax(std::vector<double>(logits.values().begin() + kEnd, logits.values().end()));
    for (std::size_t i = 0; i < p.size(); ++i) {
      Decoded next = so_far;
      next.log_probability += p[i];
      const std::int64_t token = kEnd + static_cast<std::int64_t>(i);
      next.is_complete = token == kEnd;
      if (!next.is_complete) next.ids.push_back(token);
      grow(next, step.state, token);
    }
  }

  const Model& model_;
  Encoded source_;
  std::size_t most_;
  std::vector<Decoded> found_;
};

void check_same(const Decoded& actual, const Decoded& expected, Tolerance tolerance = kFloat32) {
  CHECK(actual.ids == expected.ids);
  CHECK(actual.is_complete == expected.is_complete);
  CHECK(is_close(actual.log_probability, expected.log_probability, tolerance));
  REQUIRE(actual.weights.size() == expected.weights.size());
  for (std::size_t i = 0; i < actual.weights.size(); ++i) {
    CHECK_THAT(actual.weights[i], close_to(expected.weights[i], tolerance));
  }
}

}  // namespace

TEST_CASE("greedy: a batch gives what each source gives alone", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    const Model model = sharp_model(config);
    const std::vector<Decoded> all = decode_greedily(model, kSources, 9);
    REQUIRE(all.size() == kSources.size());
    for (std::size_t b = 0; b < kSources.size(); ++b) {
      check_same(decode_greedily(model, {kSources[b]}, 9).front(), all[b]);
      const std::size_t rows = all[b].ids.size() + (all[b].is_complete ? 1 : 0);
      CHECK(all[b].weights.size() == (config.attention == Attention::none ? 0 : rows));
      for (const auto& row : all[b].weights) CHECK(row.size() == kSources[b].size());
    }
  }
}

TEST_CASE("beam: width 1 is greedy", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Model model = sharp_model(config, seed);
      for (const Ids& source : kSources) {
        const std::vector<Decoded> found = decode_by_beam(model, source, 9, 1);
        REQUIRE(found.size() == 1);
        check_same(found.front(), decode_greedily(model, {source}, 9).front(), kExact);
      }
    }
  }
}

TEST_CASE("beam: wide enough, it finds every output in order of its log probability", "[models][seq2seq]") {
  for (Config config : all_kinds()) {
    INFO(describe(config));
    config.target_vocabulary = 5;  // the end and two symbols: 1 + 2 + 4 outputs that end, and 8 that do not
    const Model model = sharp_model(config);
    const std::vector<Decoded> found = decode_by_beam(model, kSources[0], 3, 1000);
    const Exhaustive all(model, kSources[0], 3);
    REQUIRE(all.found().size() == 15);
    REQUIRE(found.size() == 15);
    double mass = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(is_close(found[i].log_probability, all.found()[i].log_probability, kFloat32));
      CHECK(found[i].ids == all.found()[i].ids);
      CHECK(found[i].is_complete == all.found()[i].is_complete);
      mass += std::exp(found[i].log_probability);
    }
    CHECK(is_close(mass, 1.0, kFloat32));
  }
}

TEST_CASE("beam: finds what greedy misses", "[models][seq2seq]") {
  Config config = small_config();
  config.target_vocabulary = 5;
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Model model = sharp_model(config, seed);
    const double greedy = decode_greedily(model, {kSources[0]}, 3).front().log_probability;
    const double best = Exhaustive(model, kSources[0], 3).found().front().log_probability;
    const double beam = decode_by_beam(model, kSources[0], 3, 4).front().log_probability;
    CHECK(beam <= best + 1e-5);
    if (beam > greedy + 1e-5) ++better;
  }
  CHECK(better > 0);
}

TEST_CASE("beam: alpha divides by the number of tokens, the end included", "[models][seq2seq]") {
  Config config = small_config();
  config.target_vocabulary = 5;
  const Model model = sharp_model(config);
  for (float alpha : {0.0f, 0.7f, 1.0f}) {
    const std::vector<Decoded> found = decode_by_beam(model, kSources[0], 3, 1000, alpha);
    for (std::size_t i = 1; i < found.size(); ++i) {
      const auto score = [&](const Decoded& output) {
        const auto tokens = static_cast<double>(output.ids.size() + (output.is_complete ? 1 : 0));
        return output.log_probability / std::pow(tokens, static_cast<double>(alpha));
      };
      CHECK(score(found[i - 1]) >= score(found[i]));
    }
  }
}

TEST_CASE("decoding: weights stand by source position, whichever way the encoder read", "[models][seq2seq]") {
  Config config = small_config();
  const Model plain = sharp_model(config);
  config.reverses_source = true;
  const Model reversing = sharp_model(config);
  const Ids source = {3, 4, 5, 6}, reversed = {6, 5, 4, 3};
  for (std::int64_t width : {1, 3}) {
    const Decoded expected = decode_by_beam(plain, reversed, 5, width).front();
    const Decoded found = decode_by_beam(reversing, source, 5, width).front();
    REQUIRE(found.weights.size() == expected.weights.size());
    for (std::size_t i = 0; i < found.weights.size(); ++i) {
      CHECK_THAT(found.weights[i],
                 close_to(std::vector<float>(expected.weights[i].rbegin(), expected.weights[i].rend()), kExact));
    }
  }
}

TEST_CASE("decoding: an empty source, an empty batch, and no steps", "[models][seq2seq]") {
  for (const Config& config : all_kinds()) {
    INFO(describe(config));
    const Model model = sharp_model(config);
    CHECK(decode_greedily(model, {}, 5).empty());
    const Decoded greedy = decode_greedily(model, {{}}, 5).front();
    CHECK(std::isfinite(greedy.log_probability));
    check_same(decode_by_beam(model, {}, 5, 1).front(), greedy, kExact);
    CHECK(decode_by_beam(model, {}, 5, 4).size() == 4);
    for (const Decoded& none : {decode_greedily(model, {{3}}, 0).front(), decode_by_beam(model, {3}, 0, 4).front()}) {
      CHECK(none.ids.empty());
      CHECK(!none.is_complete);
      CHECK(none.log_probability == 0.0);
    }
  }
}

TEST_CASE("decoding: numbers that are not finite are a clear error, not an output", "[models][seq2seq]") {
  Model model = small_model(small_config());
  assign(model, [](const std::string&, const Shape& shape) {
    return Tensor::full(shape, std::numeric_limits<float>::quiet_NaN());
  });
  CHECK(error_of([&] { return decode_greedily(model, {{3}}, 5); }) ==
        "state: seq2seq: the model's numbers are not finite");
  CHECK(error_of([&] { return decode_by_beam(model, {3}, 5, 3); }) ==
        "state: seq2seq: the model's numbers are not finite");
}

TEST_CASE("decoding: bad arguments are named", "[models][seq2seq]") {
  const Model model = small_model(small_config());
  CHECK(error_of([&] { return decode_greedily(model, {{3}}, -1); }) == "value: seq2seq: cannot decode -1 steps");
  CHECK(error_of([&] { return decode_by_beam(model, {3}, -1, 2); }) == "value: seq2seq: cannot decode -1 steps");
  CHECK(error_of([&] { return decode_by_beam(model, {3}, 5, 0); }) ==
        "value: seq2seq: a beam needs a width of 1 or more, got 0");
  CHECK(error_of([&] {
          return decode_by_beam(model, {3}, 5, 2, std::numeric_limits<float>::quiet_NaN());
        }).find("value: seq2seq: alpha must be finite, got ") == 0);
  CHECK(error_of([&] { return decode_greedily(model, {{3, 99}}, 5); }).find("range: ") == 0);
}
