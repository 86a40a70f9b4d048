// SPDX-License-Identifier: MIT
// Rotation of feature pairs and the angles of positions.
#include "lookback/kernels/rotary.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

TEST_CASE("rotate_pairs: a quarter turn shows which features pair up", "[kernels]") {
  const std::vector<float> cos{0, 0};
  const std::vector<float> sin{1, 1};
  std::vector<float> x{1, 2, 3, 4, 5};
  rotate_pairs(x.data(), cos.data(), sin.data(), 2, RotaryPairing::interleaved);
  CHECK_THAT(x, close_to({-2, 1, -4, 3, 5}, kExact));
  x = {1, 2, 3, 4, 5};
  rotate_pairs(x.data(), cos.data(), sin.data(), 2, RotaryPairing::half);
  CHECK_THAT(x, close_to({-3, -4, 1, 2, 5}, kExact));
}

TEST_CASE("rotary_angles: position times base^(-2i/width)", "[kernels]") {
  std::vector<float> cos(2);
  std::vector<float> sin(2);
  rotary_angles(3, 10000.0, 4, cos.data(), sin.data());
  CHECK_THAT(cos, close_to({-0.98999250, 0.99955003}));
  CHECK_THAT(sin, close_to({0.14112001, 0.02999550}));
  rotary_angles(3, 500000.0, 4, cos.data(), sin.data());
  CHECK_THAT(sin, close_to({0.14112001, 0.00424263}));
}

TEST_CASE("rotary_angles: exact at positions in the thousands and beyond", "[kernels]") {
  std::vector<float> cos;
  std::vector<float> sin;
  for (std::int64_t position : {2049, 4097, 15962, 100003}) {
    float c = 0;
    float s = 0;
    rotary_angles(position, 10000.0, 2, &c, &s);
    cos.push_back(c);
    sin.push_back(s);
  }
  CHECK_THAT(cos, close_to({0.776572044, 0.934771961, -0.908015901, 0.984314830}, {1e-7, 0.0}));
  CHECK_THAT(sin, close_to({0.630028460, 0.355248336, 0.418935703, -0.176420847}, {1e-7, 0.0}));
}

TEST_CASE("rotary_angles: position 0 turns nothing", "[kernels]") {
  std::vector<float> cos(3);
  std::vector<float> sin(3);
  rotary_angles(0, 10000.0, 6, cos.data(), sin.data());
  CHECK_THAT(cos, close_to({1, 1, 1}, kExact));
  CHECK_THAT(sin, close_to({0, 0, 0}, kExact));
}
