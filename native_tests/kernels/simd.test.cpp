// SPDX-License-Identifier: MIT
// The four-lane vocabulary that this target defines.
#include "lookback/kernels/simd.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {
std::vector<float> lanes(F32x4 x) {
  std::vector<float> result(4);
  store(result.data(), x);
  return result;
}
}  // namespace

TEST_CASE("simd: every word means the same on all four lanes", "[kernels]") {
  // From an address that is not a multiple of 16 bytes.
  const float numbers[] = {0, 1, 2, 3, 4, 10, 20, 30, 40};
  const F32x4 a = load(numbers + 1);
  const F32x4 b = load(numbers + 5);
  CHECK_THAT(lanes(a), close_to({1, 2, 3, 4}, kExact));
  CHECK_THAT(lanes(splat(2.5f)), close_to({2.5, 2.5, 2.5, 2.5}, kExact));
  CHECK_THAT(lanes(add(a, b)), close_to({11, 22, 33, 44}, kExact));
  CHECK_THAT(lanes(mul(a, b)), close_to({10, 40, 90, 160}, kExact));
  CHECK_THAT(lanes(mul_add(a, b, splat(0.5f))), close_to({10.5, 40.5, 90.5, 160.5}, kExact));
  CHECK(horizontal_sum(a) == 10.0f);
}

TEST_CASE("simd: the build has the instructions it was made for", "[kernels]") {
  const std::string name = kSimdName;
#if defined(__wasm_relaxed_simd__)
  CHECK(name == "wasm relaxed");
#elif defined(__wasm__)
  CHECK(name == "wasm baseline");
#elif defined(__x86_64__) || defined(_M_X64)
  CHECK(name == "sse2");
#elif defined(__ARM_NEON)
  CHECK(name == "neon");
#else
  CHECK(name == "scalar");
#endif
}
