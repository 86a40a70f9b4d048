// SPDX-License-Identifier: MIT
// LSTM and GRU, forward and backward.
#include "lookback/kernels/recurrent.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>

#include "kernels/recurrent_layer.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

/// Sums of at most some hundred products of about 1, through a few steps.
constexpr Tolerance kGradient{2e-5, 2e-5};

std::vector<LayerShape> shapes(Cell cell) {
  return {
      {.cell = cell, .batch = 1, .steps = 1, .input = 1, .width = 1},
      {.cell = cell, .batch = 2, .steps = 3, .input = 2, .width = 3},
      {.cell = cell, .batch = 3, .steps = 4, .input = 3, .width = 5, .is_reversed = true},
      {.cell = cell, .batch = 4, .steps = 5, .input = 2, .width = 4, .lengths = {5, 0, 3, 1}},
      {.cell = cell, .batch = 4, .steps = 5, .input = 2, .width = 7, .is_reversed = true, .lengths = {2, 5, 0, 4}},
      {.cell = cell, .batch = 2, .steps = 2, .input = 1, .width = 17},
      {.cell = cell, .batch = 9, .steps = 2, .input = 1, .width = 9, .is_reversed = true},
  };
}

/// The one-unit LSTM whose numbers were worked out by hand: W, R, both biases, h0 = 0.5, c0 = 0.25.
Flat<float> hand_lstm(std::vector<float> x) {
  return {std::move(x),
          {0.1f, -0.2f, 0.3f, -0.4f},
          {0.5f, 0.6f, -0.7f, 0.8f},
          {0.01f, 0.02f, 0.03f, 0.04f},
          {0.05f, -0.06f, 0.07f, -0.08f},
          {0.5f},
          {0.25f}};
}

/// Numbers [first, first + count).
std::vector<float> part(const std::vector<float>& numbers, std::int64_t first, std::int64_t count) {
  return {numbers.data() + first, numbers.data() + first + count};
}

}  // namespace

TEST_CASE("lstm: three steps by hand", "[kernels][recurrent]") {
  KernelLayer layer({.steps = 3}, hand_lstm({1, -2, 0.5f}));
  CHECK_THAT(layer.forward(), close_to({0.07715427, -0.09913592, 0.03962554, 0.03962554, 0.09443701}));
}

TEST_CASE("lstm: gradients through time by hand", "[kernels][recurrent][gradient]") {
  KernelLayer layer({.steps = 2}, hand_lstm({1, -2}));
  layer.forward();
  const Flat<float> d = layer.backward({0, 1, 0, 0});
  CHECK_THAT(d[kInputWeight], close_to({0.17450254, -0.03291783, -0.30040271, 0.05188909}));
  CHECK_THAT(d[kHiddenWeight], close_to({-0.00477563, 0.01146693, 0.10950123, -0.00666728}));
  CHECK_THAT(d[kInputBias], close_to({-0.08180308, 0.04485891, 0.42289922, -0.03893863}));
  CHECK_THAT(d[kHiddenBias], close_to({-0.08180308, 0.04485891, 0.42289922, -0.03893863}));
  CHECK_THAT(d[kFirstHidden], close_to({-0.12101312}));
  CHECK_THAT(d[kFirstCell], close_to({0.15614973}));
}

TEST_CASE("gru: one step by hand tells the update gate from the reset gate", "[kernels][recurrent]") {
  const Cell cell = GENERATE(Cell::gru_reset_before, Cell::gru_reset_after);
  const auto step = [&](std::vector<float> bias) {
    KernelLayer layer({.cell = cell}, {{1}, {0, 0, 1}, {0, 0, 0}, std::move(bias), {0, 0, 0}, {0}, {}});
    return layer.forward().front();
  };
  const std::vector<float> hidden = {step({0, 0, 0}), step({0, 10, 0}), step({10, 0, 0})};
  // 1 - z is as exact as z, whose last place is 6e-8.
  CHECK_THAT(hidden, close_to({0.38079708, 3.4574751e-5, 0.38079708}, {1e-7, 0.0}));
}

TEST_CASE("gru: one step by hand tells reset before from reset after", "[kernels][recurrent]") {
  // r = 1/2, z = 0; before: tanh(h/2 R + b), after: tanh((h R + b)/2), with h R = 2 and b = 1.
  const auto step = [](Cell cell) {
    KernelLayer layer({.cell = cell}, {{1}, {0, -40, 0}, {0, 0, 4}, {0, 0, 0}, {0, 0, 1}, {0.5f}, {}});
    return layer.forward().front();
  };
  const std::vector<float> hidden = {step(Cell::gru_reset_before), step(Cell::gru_reset_after)};
  CHECK_THAT(hidden, close_to({std::tanh(2.0), std::tanh(1.5)}));
}

TEST_CASE("recurrent: equals the double definition at every size, length and direction",
          "[kernels][recurrent][reference]") {
  const Cell cell = GENERATE(Cell::lstm, Cell::gru_reset_before, Cell::gru_reset_after);
  for (const LayerShape& shape : shapes(cell)) {
    INFO("width " << shape.width << ", batch " << shape.batch);
    const Flat<float> operands = random_operands(shape, 100);
    Flat<double> doubles;
    for (const auto& operand : operands) doubles.push_back(to_doubles(operand));
    KernelLayer layer(shape, operands);
    CHECK_THAT(layer.forward(), close_to(reference_layer(shape, doubles)));
  }
}

TEST_CASE("recurrent: every gradient passes central differences of the double definition",
          "[kernels][recurrent][gradient]") {
  const Cell cell = GENERATE(Cell::lstm, Cell::gru_reset_before, Cell::gru_reset_after);
  for (const LayerShape& shape : shapes(cell)) {
    INFO("width " << shape.width << ", batch " << shape.batch);
    const Flat<float> operands = random_operands(shape, 200);
    KernelLayer layer(shape, operands);
    const std::vector<float> weights = random_numbers(static_cast<std::int64_t>(layer.forward().size()), 7);
    CHECK(gradient_mismatch(layer.backward(weights), central_differences(shape, operands, weights), kGradient) == "");
  }
}

TEST_CASE("recurrent: the comparison catches a planted wrong gradient", "[kernels][recurrent][gradient]") {
  const LayerShape shape{.batch = 2, .steps = 3, .input = 2, .width = 3};
  const Flat<float> operands = random_operands(shape, 300);
  KernelLayer layer(shape, operands);
  const std::vector<float> weights = random_numbers(static_cast<std::int64_t>(layer.forward().size()), 8);
  const Flat<double> expected = central_differences(shape, operands, weights);
  const Flat<float> right = layer.backward(weights);
  for (std::size_t place = 0; place < right.size(); ++place) {
    Flat<float> wrong = right;
    wrong[place].back() *= 1.01f;
    CHECK(gradient_mismatch(wrong, expected, kGradient) != "");
    wrong[place].back() = std::nanf("");
    CHECK(gradient_mismatch(wrong, expected, kGradient) != "");
  }
}

TEST_CASE("recurrent: an item of a batch is that item run alone", "[kernels][recurrent]") {
  const Cell cell = GENERATE(Cell::lstm, Cell::gru_reset_before, Cell::gru_reset_after);
  const LayerShape shape{.cell = cell, .batch = 4, .steps = 3, .input = 2, .width = 5, .lengths = {3, 0, 1, 2}};
  const Flat<float> operands = random_operands(shape, 400);
  KernelLayer together(shape, operands);
  const std::vector<float> all = together.forward();
  for (std::int64_t item = 0; item < shape.batch; ++item) {
    const std::int64_t length = shape.length(item);
    Flat<float> own = operands;
    own[kInput] = part(operands[kInput], item * 6, length * 2);
    own[kFirstHidden] = part(operands[kFirstHidden], item * 5, 5);
    if (cell == Cell::lstm) own[kFirstCell] = part(operands[kFirstCell], item * 5, 5);
    KernelLayer alone({.cell = cell, .steps = length, .input = 2, .width = 5}, own);
    const std::vector<float> one = alone.forward();
    CHECK_THAT(part(all, item * 15, length * 5), close_to(part(one, 0, length * 5)));
    for (float padding : part(all, item * 15 + length * 5, 15 - length * 5)) CHECK(padding == 0.0f);
    const std::vector<float> hidden = part(all, 60 + item * 5, 5);
    CHECK_THAT(hidden, close_to(part(one, length * 5, 5)));
    if (length == 0) CHECK_THAT(hidden, close_to(own[kFirstHidden], kExact));
  }
}

TEST_CASE("recurrent: gradients are added, zeros stand for what is absent, and unwanted ones may be null",
          "[kernels][recurrent][gradient]") {
  const RecurrentRun run{.batch = 1, .steps = 1, .width = 1};
  const float zero = 0.0f;
  const float weight[] = {0.1f, 0.2f, 0.3f, 0.4f};
  float gates[] = {1, 2, 3, 4};
  float hiddens[] = {0.5f, 0};
  float cells[] = {0.25f, 0};
  float d_projection[4];
  std::vector<float> scratch(static_cast<std::size_t>(std::max(lstm_scratch(run), lstm_backward_scratch(run))));
  float output = 0.0f;
  const LstmTrace trace{gates, hiddens, cells};
  lstm_forward(run, gates, {weight, nullptr}, trace, &output, scratch.data());
  const float one = 1.0f;
  float d_hidden = 0.0f;
  lstm_backward(run, {weight, nullptr}, trace, {&one, nullptr, nullptr}, {d_projection, {}, &d_hidden, nullptr},
                scratch.data());
  const float once = d_hidden;
  CHECK(once != 0.0f);
  lstm_backward(run, {weight, nullptr}, trace, {nullptr, &one, &zero}, {d_projection, {}, &d_hidden, nullptr},
                scratch.data());
  CHECK(d_hidden == 2.0f * once);
}

TEST_CASE("recurrent: infinities saturate the gates, not a number stays in its item", "[kernels][recurrent]") {
  const Cell cell = GENERATE(Cell::lstm, Cell::gru_reset_before, Cell::gru_reset_after);
  const LayerShape shape{.cell = cell, .batch = 2, .steps = 2, .input = 1, .width = 3};
  Flat<float> operands = random_operands(shape, 500);
  operands[kInput][0] = 1e30f;
  operands[kInput][2] = std::nanf("");
  KernelLayer layer(shape, operands);
  const std::vector<float> results = layer.forward();
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(std::isfinite(results[i]));
    CHECK(std::isnan(results[6 + i]));
  }
}
