// SPDX-License-Identifier: MIT
// Adam, AdamW and SGD with clipped gradients against PyTorch: fixtures/seq2seq.json, which seq2seq.py writes.
#include <catch2/catch_test_macros.hpp>

#include "lookback/training/optimiser.hpp"
#include "support/files.hpp"
#include "support/json.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::test;

namespace {

Optimiser optimiser_of(const std::string& kind) {
  if (kind == "sgd") return Optimiser(Sgd{.momentum = 0.9f});
  return Optimiser(Adam{.weight_decay = kind == "adamw" ? 0.1f : 0.0f});
}

}  // namespace

TEST_CASE("optimiser: three clipped steps are PyTorch's", "[training]") {
  const Json fixture = Json::read(fixture_path("seq2seq.json"));
  REQUIRE(fixture["optimisers"].size() == 3);
  for (const Json& c : fixture["optimisers"].items()) {
    INFO(c["kind"].text());
    Tensor weight({2, 3}, c["weight"].numbers<float>()), bias({3}, c["bias"].numbers<float>());
    const nn::Parameters parameters = {{"weight", &weight}, {"bias", &bias}};
    Optimiser optimiser = optimiser_of(c["kind"].text());
    REQUIRE(c["steps"].size() == 3);
    for (const Json& step : c["steps"].items()) {
      const GradientList gradients = {Tensor({2, 3}, step["d_weight"].numbers<float>()),
                                      Tensor({3}, step["d_bias"].numbers<float>())};
      const float norm = global_norm(gradients);
      CHECK(is_close(static_cast<double>(norm), step["norm"].number(), kFloat32));
      optimiser.step(parameters, gradients, 0.05f, clip_factor(norm, 1.0f));
      CHECK_THAT(weight.values(), close_to(step["weight"].numbers<double>()));
      CHECK_THAT(bias.values(), close_to(step["bias"].numbers<double>()));
    }
  }
}
