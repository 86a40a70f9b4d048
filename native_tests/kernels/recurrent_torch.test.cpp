// SPDX-License-Identifier: MIT
// The recurrent kernels against PyTorch: values and gradients of fixtures/recurrent.json, which recurrent.py writes.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "kernels/recurrent_layer.hpp"
#include "support/files.hpp"
#include "support/json.hpp"

using namespace lookback::test;

namespace {

/// PyTorch computed in double; the sums here are of some ten products.
constexpr Tolerance kTorch{1e-5, 1e-5};

std::int64_t integer(const Json& value) { return static_cast<std::int64_t>(value.number()); }

LayerShape shape_of(const Json& c, bool is_reversed) {
  return {.cell = c["cell"].text() == "lstm" ? Cell::lstm : Cell::gru_reset_after,
          .batch = integer(c["batch"]),
          .steps = integer(c["steps"]),
          .input = integer(c["input"]),
          .width = integer(c["width"]),
          .is_reversed = is_reversed,
          .lengths = c["lengths"].numbers<std::int64_t>()};
}

/// Operands or, with the prefix "d_", their gradients but for x.
template <typename Number>
Flat<Number> operands_of(const Json& c, const Json& weights, const std::string& prefix) {
  Flat<Number> operands{c[prefix + "x"].numbers<Number>()};
  for (const char* name : {"W", "R", "bW", "bR", "hidden"})
    operands.push_back(weights[prefix + name].numbers<Number>());
  operands.push_back(c["cell"].text() == "lstm" ? weights[prefix + "cell"].numbers<Number>() : std::vector<Number>());
  return operands;
}

/// A direction's part of output [B, T, directions N], hidden [directions, B, N] and cell, as KernelLayer lists them.
std::vector<float> results_of(const Json& c, const Json& results, std::size_t direction) {
  const auto directions = static_cast<std::size_t>(c["directions"].number());
  const auto width = static_cast<std::size_t>(c["width"].number());
  const std::vector<float> output = results["output"].numbers<float>();
  std::vector<float> part;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (i / width % directions == direction) part.push_back(output[i]);
  }
  for (const char* name : {"hidden", "cell"}) {
    if (name == std::string("cell") && c["cell"].text() != "lstm") continue;
    const std::vector<float> states = results[name].numbers<float>();
    const std::size_t size = states.size() / directions;
    part.insert(part.end(), states.data() + direction * size, states.data() + (direction + 1) * size);
  }
  return part;
}

}  // namespace

TEST_CASE("recurrent: values and gradients are PyTorch's", "[kernels][recurrent][gradient]") {
  const Json cases = Json::read(fixture_path("recurrent.json"));
  REQUIRE(cases.size() == 4);
  for (const Json& c : cases.items()) {
    INFO(c["cell"].text() << ", directions " << c["directions"].number());
    std::vector<double> d_x(c["x"].size());
    for (std::size_t direction = 0; direction < c["weights"].size(); ++direction) {
      const Json& weights = c["weights"][direction];
      KernelLayer layer(shape_of(c, direction == 1), operands_of<float>(c, weights, ""));
      CHECK_THAT(layer.forward(), close_to(results_of(c, c["results"], direction), kTorch));
      const Flat<float> gradients = layer.backward(results_of(c, c["upstream"], direction));
      for (std::size_t i = 0; i < d_x.size(); ++i) d_x[i] += static_cast<double>(gradients[kInput][i]);
      Flat<double> expected = operands_of<double>(c, weights, "d_");
      expected[kInput] = to_doubles(gradients[kInput]);  // x is shared by both directions: their sum, below
      CHECK(gradient_mismatch(gradients, expected, kTorch) == "");
    }
    CHECK_THAT(d_x, close_to(c["d_x"].numbers<double>(), kTorch));
  }
}
