// SPDX-License-Identifier: MIT
// The vector vocabulary that this target defines.
#include "lookback/kernels/simd.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/allclose.hpp"

using namespace lookback::kernels;
using namespace lookback::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> lanes(Vec x) {
  std::vector<float> result(kLanes);
  store(result.data(), x);
  return result;
}

/// f(0), f(1), ... as the lanes of a Vec, loaded from an address that is not a multiple of its size.
template <class Function>
Vec vec_of(Function f) {
  float numbers[kLanes + 1];
  for (int i = 0; i < kLanes; ++i) numbers[i + 1] = static_cast<float>(f(i));
  return load(numbers + 1);
}

template <class Function>
std::vector<float> each_lane(Function f) {
  std::vector<float> result;
  for (int i = 0; i < kLanes; ++i) result.push_back(static_cast<float>(f(i)));
  return result;
}

}  // namespace

TEST_CASE("simd: arithmetic is the same on every lane", "[kernels]") {
  const Vec a = vec_of([](int i) { return i + 1; });
  const Vec b = vec_of([](int i) { return 10 * (i + 1); });
  CHECK_THAT(lanes(splat(2.5f)), close_to(each_lane([](int) { return 2.5; }), kExact));
  const float number = 1.25f;
  CHECK_THAT(lanes(load_splat(&number)), close_to(each_lane([](int) { return 1.25; }), kExact));
  CHECK_THAT(lanes(add(a, b)), close_to(each_lane([](int i) { return 11 * (i + 1); }), kExact));
  CHECK_THAT(lanes(sub(b, a)), close_to(each_lane([](int i) { return 9 * (i + 1); }), kExact));
  CHECK_THAT(lanes(mul(a, b)), close_to(each_lane([](int i) { return 10 * (i + 1) * (i + 1); }), kExact));
  CHECK_THAT(lanes(div(b, a)), close_to(each_lane([](int) { return 10; }), kExact));
  CHECK_THAT(lanes(mul_add(a, b, splat(0.5f))),
             close_to(each_lane([](int i) { return 10 * (i + 1) * (i + 1) + 0.5; }), kExact));
  Vec pinned = a;
  pin(pinned);
  CHECK_THAT(lanes(pinned), close_to(lanes(a), kExact));
}

TEST_CASE("simd: min and max take the second number when either is NaN", "[kernels]") {
  const Vec alternating = vec_of([](int i) { return i % 2 ? -1 : 1; });
  CHECK_THAT(lanes(min(alternating, splat(0.0f))), close_to(each_lane([](int i) { return i % 2 ? -1 : 0; }), kExact));
  CHECK_THAT(lanes(max(alternating, splat(0.0f))), close_to(each_lane([](int i) { return i % 2 ? 0 : 1; }), kExact));
  for (float number : lanes(max(splat(kNan), splat(2.0f)))) CHECK(number == 2.0f);
  for (float number : lanes(min(splat(kNan), splat(2.0f)))) CHECK(number == 2.0f);
  for (float number : lanes(max(splat(2.0f), splat(kNan)))) CHECK(std::isnan(number));
  for (float number : lanes(min(splat(2.0f), splat(kNan)))) CHECK(std::isnan(number));
}

TEST_CASE("simd: masks choose lane by lane", "[kernels]") {
  const Vec a = vec_of([](int i) { return i; });
  const VecMask small = less(a, splat(2.0f));
  CHECK(any(small));
  CHECK_FALSE(any(less(splat(1.0f), splat(1.0f))));
  CHECK_FALSE(any(less(splat(kNan), splat(1.0f))));
  CHECK_THAT(lanes(select(small, splat(5.0f), splat(7.0f))),
             close_to(each_lane([](int i) { return i < 2 ? 5 : 7; }), kExact));
  const Vec with_nan = vec_of([](int i) { return i == kLanes - 1 ? static_cast<double>(kNan) : 1.0; });
  CHECK(any(is_nan(with_nan)));
  CHECK_FALSE(any(is_nan(a)));
  CHECK_THAT(lanes(select(is_nan(with_nan), splat(0.0f), with_nan)),
             close_to(each_lane([](int i) { return i == kLanes - 1 ? 0 : 1; }), kExact));
}

TEST_CASE("simd: low bits become an exponent", "[kernels]") {
  // 2^23 + n has n in its low bits.
  for (int n = 1; n <= 254; ++n) {
    for (float number : lanes(low_bits_to_exponent(splat(static_cast<float>((1 << 23) + n))))) {
      REQUIRE(number == std::ldexp(1.0f, n - 127));
    }
  }
  for (float number : lanes(low_bits_to_exponent(splat(static_cast<float>(1 << 23))))) CHECK(number == 0.0f);
}

TEST_CASE("simd: horizontal sum and maximum see every lane", "[kernels]") {
  CHECK(horizontal_sum(vec_of([](int i) { return 1 << i; })) == static_cast<float>((1 << kLanes) - 1));
  for (int peak = 0; peak < kLanes; ++peak) {
    CHECK(horizontal_max(vec_of([&](int i) { return i == peak ? -1 : -2 - i; })) == -1.0f);
  }
}

TEST_CASE("simd: a 4 x 4 block is transposed between rows of any stride", "[kernels]") {
  std::vector<float> in(4 * 7), out(4 * 5, -1.0f);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  transpose_4x4(in.data() + 1, 7, out.data(), 5);
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t col = 0; col < 4; ++col) CHECK(out[row * 5 + col] == in[col * 7 + row + 1]);
    CHECK(out[row * 5 + 4] == -1.0f);
  }
}

TEST_CASE("simd: the build has the instructions it was made for", "[kernels]") {
  const std::string name = kSimdName;
#if defined(LOOKBACK_SIMD_SCALAR)
  CHECK(name == "scalar");
#elif defined(__wasm_relaxed_simd__)
  CHECK(name == "wasm relaxed");
#elif defined(__wasm__)
  CHECK(name == "wasm baseline");
#elif defined(__AVX512F__)
  CHECK(name == "avx512");
#elif defined(__AVX2__) && defined(__FMA__)
  CHECK(name == "avx2");
#elif defined(__x86_64__) || defined(_M_X64)
  CHECK(name == "sse2");
#elif defined(__ARM_NEON)
  CHECK(name == "neon");
#else
  CHECK(name == "scalar");
#endif
#if defined(LOOKBACK_EXPECTED_SIMD)
  CHECK(name == LOOKBACK_EXPECTED_SIMD);
#endif
}
