// SPDX-License-Identifier: MIT
// Sinusoidal encoding and rotary embedding.
#include "lookback/attention/position.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "lookback/attention/score.hpp"
#include "lookback/tensor/gather.hpp"
#include "lookback/tensor/layout.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::attention;
using namespace lookback::test;

namespace {

const Tensor kX = Tensor::matrix({{1, 2, 3, 4}});
constexpr RotaryOptions kHalf{.pairing = RotaryPairing::half};

Tensor row(const Tensor& table, std::int64_t index) { return gather_rows(table, {index}); }

}  // namespace

TEST_CASE("sinusoidal: sine and cosine of one angle side by side", "[attention]") {
  CHECK_THAT(row(sinusoidal(4, 4), 3), close_to(Tensor::matrix({{0.14112001f, -0.9899925f, 0.0299955f, 0.99955003f}})));
  CHECK_THAT(row(sinusoidal(4, 4), 0), close_to(Tensor::matrix({{0, 1, 0, 1}}), kExact));
}

TEST_CASE("sinusoidal: sines before cosines when asked", "[attention]") {
  const Tensor table = sinusoidal(4, 4, {.layout = SinusoidLayout::concatenated});
  CHECK_THAT(row(table, 3), close_to(Tensor::matrix({{0.14112001f, 0.0299955f, -0.9899925f, 0.99955003f}})));
}

TEST_CASE("sinusoidal: an odd width ends in a sine", "[attention]") {
  CHECK_THAT(row(sinusoidal(2, 5), 1),
             close_to(Tensor::matrix({{0.84147098f, 0.54030231f, 0.02511622f, 0.99968454f, 0.00063096f}})));
  CHECK_THAT(row(sinusoidal(2, 5, {.layout = SinusoidLayout::concatenated}), 1),
             close_to(Tensor::matrix({{0.84147098f, 0.02511622f, 0.00063096f, 0.54030231f, 0.99968454f}})));
}

TEST_CASE("sinusoidal: another base, and no positions", "[attention]") {
  // Angles 2 and 2 / sqrt(100).
  CHECK_THAT(row(sinusoidal(3, 4, {.base = 100.0}), 2),
             close_to(Tensor::matrix({{0.90929743f, -0.41614684f, 0.19866933f, 0.98006658f}})));
  CHECK(sinusoidal(0, 4).shape() == Shape{0, 4});
}

TEST_CASE("sinusoidal: wrong sizes and bases are named", "[attention]") {
  CHECK(error_of([] { return sinusoidal(-1, 4); }) ==
        "value: sinusoidal: needs a length of 0 or more and a width of 1 or more, got -1 and 4");
  CHECK(error_of([] { return sinusoidal(3, 0); }) ==
        "value: sinusoidal: needs a length of 0 or more and a width of 1 or more, got 3 and 0");
  CHECK(error_of([] { return sinusoidal(3, 4, {.base = 1.0}); }) ==
        "value: sinusoidal: the base must be above 1, got 1");
  CHECK(error_of([] { return sinusoidal(3, 4, {.base = NAN}); }).find("value: sinusoidal: the base must be above 1") ==
        0);
}

TEST_CASE("rotary: interleaved and half pairing", "[attention]") {
  CHECK_THAT(rotary(kX, {1}), close_to(Tensor::matrix({{-1.14263966f, 1.9220756f, 2.95985067f, 4.0297995f}})));
  CHECK_THAT(rotary(kX, {3}), close_to(Tensor::matrix({{-1.27223251f, -1.83886499f, 2.8786681f, 4.08818664f}})));
  CHECK_THAT(rotary(kX, {1}, kHalf), close_to(Tensor::matrix({{-1.98411065f, 1.95990067f, 2.4623779f, 4.01979967f}})));
  CHECK_THAT(rotary(kX, {3}, kHalf),
             close_to(Tensor::matrix({{-1.41335252f, 1.87911807f, -2.82885748f, 4.05819114f}})));
  CHECK_THAT(rotary(kX, {0}), close_to(kX, kExact));
}

TEST_CASE("rotary: the base is the one given", "[attention]") {
  CHECK_THAT(rotary(kX, {3}, {.base = 500000.0}),
             close_to(Tensor::matrix({{-1.27223251f, -1.83886499f, 2.98300249f, 4.01269188f}})));
  CHECK_THAT(rotary(kX, {3}, {.pairing = RotaryPairing::half, .base = 500000.0}),
             close_to(Tensor::matrix({{-1.41335252f, 1.98301149f, -2.82885748f, 4.00844926f}})));
}

TEST_CASE("rotary: turns add up, negative ones turn back", "[attention]") {
  const RotaryPairing pairing = GENERATE(RotaryPairing::interleaved, RotaryPairing::half);
  const RotaryOptions options{.pairing = pairing};
  CHECK_THAT(rotary(rotary(kX, {3}, options), {-2}, options), close_to(rotary(kX, {1}, options)));
  CHECK_THAT(rotary(rotary(kX, {5}, options), {-5}, options), close_to(kX));
}

TEST_CASE("rotary: permuted features turn interleaved as the plain ones turn in halves", "[attention]") {
  const Tensor q = Tensor::matrix({{.1f, .2f, .3f, .4f, .5f, .6f, .7f, .8f}});
  const Tensor k = Tensor::matrix({{.8f, -.7f, .6f, -.5f, .4f, -.3f, .2f, -.1f}});
  const auto permuted = [](const Tensor& x) {
    return transpose(gather_rows(transpose(x, 0, 1), {0, 4, 1, 5, 2, 6, 3, 7}), 0, 1);
  };
  const auto product = [](const Tensor& a, const Tensor& b, const RotaryOptions& options) {
    return dot_scores(rotary(a, {5}, options), rotary(b, {2}, options)).item();
  };
  CHECK(is_close(product(q, k, kHalf), -0.49718261, kFloat32));
  CHECK(is_close(product(permuted(q), permuted(k), {}), -0.49718261, kFloat32));
  CHECK(is_close(product(q, k, {}), -0.03981518, kFloat32));
}

TEST_CASE("rotary: products depend on the distance only", "[attention]") {
  const RotaryPairing pairing = GENERATE(RotaryPairing::interleaved, RotaryPairing::half);
  const RotaryOptions options{.pairing = pairing};
  const Tensor q = random_tensor({1, 8}, 1);
  const Tensor k = random_tensor({1, 8}, 2);
  const auto product = [&](std::int64_t i, std::int64_t j) {
    return static_cast<double>(dot_scores(rotary(q, {i}, options), rotary(k, {j}, options)).item());
  };
  CHECK(is_close(product(7, 4), product(3, 0), kFloat32));
  CHECK(is_close(product(2007, 2004), product(3, 0), kFloat32));
  CHECK_FALSE(is_close(product(7, 4), product(4, 7), {1e-3, 0.0}));
}

TEST_CASE("rotary: positions in the thousands keep their angle", "[attention]") {
  const Tensor turned = rotary(Tensor::matrix({{1, 0}, {1, 0}, {1, 0}}), {2049, 4097, 15962});
  CHECK_THAT(turned,
             close_to(Tensor::matrix(
                          {{0.776572044f, 0.630028460f}, {0.934771961f, 0.355248336f}, {-0.908015901f, 0.418935703f}}),
                      {1e-6, 0.0}));
}

TEST_CASE("rotary: features beyond the width stay", "[attention]") {
  CHECK_THAT(rotary(kX, {1}, {.width = 2}), close_to(Tensor::matrix({{-1.14263966f, 1.9220756f, 3, 4}})));
  CHECK_THAT(rotary(kX, {1}, {.pairing = RotaryPairing::half, .width = 2}),
             close_to(Tensor::matrix({{-1.14263966f, 1.9220756f, 3, 4}})));
  CHECK_THAT(rotary(kX, {1}, {.width = 0}), close_to(kX, kExact));
}

TEST_CASE("rotary: every head and batch item by its token's position", "[attention]") {
  const Tensor x = random_tensor({2, 3, 4, 6}, 3);
  const Tensor turned = rotary(x, {5, 0, 9, 2});
  for (std::int64_t head = 0; head < 6; ++head) {
    for (std::int64_t t = 0; t < 4; ++t) {
      const std::vector<std::int64_t> positions{5, 0, 9, 2};
      const Tensor one = row(x.reshape({24, 6}), head * 4 + t);
      CHECK_THAT(row(turned.reshape({24, 6}), head * 4 + t),
                 close_to(rotary(one, {positions[static_cast<std::size_t>(t)]}), kExact));
    }
  }
  CHECK(rotary(Tensor::zeros({0, 4}), {}).shape() == Shape{0, 4});
}

TEST_CASE("rotary tables: one table for all, or one for each batch item", "[attention]") {
  const Tensor x(Shape{2, 1, 1, 2}, {1, 2, 3, 4});
  const Tensor quarter_cos = Tensor::matrix({{0}});
  const Tensor quarter_sin = Tensor::matrix({{1}});
  CHECK_THAT(rotary_from_tables(x, quarter_cos, quarter_sin, RotaryPairing::interleaved),
             close_to(Tensor(Shape{2, 1, 1, 2}, {-2, 1, -4, 3}), kExact));
  const Tensor cos(Shape{2, 1, 1}, {1, 0});
  const Tensor sin(Shape{2, 1, 1}, {0, 1});
  CHECK_THAT(rotary_from_tables(x, cos, sin, RotaryPairing::interleaved),
             close_to(Tensor(Shape{2, 1, 1, 2}, {1, 2, -4, 3}), kExact));
}

TEST_CASE("rotary: wrong widths, bases and positions are named", "[attention]") {
  CHECK(error_of([] {
          return rotary(Tensor::zeros({1, 3}), {0});
        }) == "value: rotary: features turn in pairs, so the width must be even and at most 3, got 3");
  CHECK(error_of([] { return rotary(kX, {0}, {.width = 6}); }) ==
        "value: rotary: features turn in pairs, so the width must be even and at most 4, got 6");
  CHECK(error_of([] { return rotary(kX, {0}, {.base = 0.0}); }) == "value: rotary: the base must be above 0, got 0");
  CHECK(error_of([] { return rotary(kX, {0, 1}); }) == "shape: rotary: 2 positions for T = 1 of x [1, 4]");
  CHECK(error_of([] { return rotary(Tensor::zeros({4}), {0}); }) == "shape: rotary: x must be [.., T, K], got [4]");
}

TEST_CASE("rotary tables: shapes that do not fit are named", "[attention]") {
  const auto error = [](Shape x, Shape cos, Shape sin) {
    return error_of([&] {
      return rotary_from_tables(Tensor::zeros(x), Tensor::zeros(cos), Tensor::zeros(sin), RotaryPairing::half);
    });
  };
  CHECK(error({2, 4}, {2, 2}, {2, 1}) ==
        "shape: rotary: tables [2, 2] and [2, 1] must be [T, R/2] or [B, T, R/2] for x [2, 4]");
  CHECK(error({2, 4}, {3, 2}, {3, 2}) ==
        "shape: rotary: tables [3, 2] and [3, 2] must be [T, R/2] or [B, T, R/2] for x [2, 4]");
  CHECK(error({2, 2, 4}, {3, 2, 2}, {3, 2, 2}) ==
        "shape: rotary: tables [3, 2, 2] and [3, 2, 2] must be [T, R/2] or [B, T, R/2] for x [2, 2, 4]");
  CHECK(error({2, 4}, {2, 3}, {2, 3}) == "shape: rotary: tables of 3 angles turn more features than x [2, 4] has");
}
