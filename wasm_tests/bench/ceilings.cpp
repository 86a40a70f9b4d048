// SPDX-License-Identifier: MIT
// What the machine allows a wasm build: multiply-adds from registers, and reading memory.
#include <emscripten/em_macros.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "lookback/kernels/simd.hpp"

namespace {

using namespace lookback::kernels;

volatile float g_sink = 0.0f;
volatile float g_factor = 0.999f;

float* g_memory = nullptr;
std::int64_t g_floats = 0;

/// Sums that do not wait for one another; the product differs from step to step, so that none is hoisted.
template <int... kIndex>
double multiply_add_many(int iterations, std::integer_sequence<int, kIndex...>) {
  Vec sums[] = {splat(static_cast<float>(kIndex + 1))...};
  const Vec factor = splat(g_factor);
  const Vec addend = splat(g_factor * 0.5f);
  for (int i = 0; i < iterations; ++i) ((sums[kIndex] = mul_add(sums[kIndex], factor, addend)), ...);
  g_sink = (horizontal_sum(sums[kIndex]) + ...);
  return 2.0 * kLanes * sizeof...(kIndex) * iterations;
}

template <int kCount>
double multiply_add_many(int iterations) {
  return multiply_add_many(iterations, std::make_integer_sequence<int, kCount>());
}

}  // namespace

extern "C" {

/// Floating-point operations done.
EMSCRIPTEN_KEEPALIVE double multiply_adds(int accumulators, int iterations) {
  switch (accumulators) {
    case 8: return multiply_add_many<8>(iterations);
    case 10: return multiply_add_many<10>(iterations);
    default: return multiply_add_many<12>(iterations);
  }
}

/// Memory for read_all; 0 gives it back. False when there is none.
EMSCRIPTEN_KEEPALIVE bool reserve(double bytes) {
  std::free(g_memory);
  g_floats = static_cast<std::int64_t>(bytes) / 128 * 32;
  g_memory = g_floats ? static_cast<float*>(std::aligned_alloc(64, static_cast<std::size_t>(g_floats) * 4)) : nullptr;
  for (std::int64_t i = 0; g_memory && i < g_floats; ++i) g_memory[i] = 1.0f;
  return g_memory != nullptr;
}

/// Adds up every number of the memory, front to back, with sums enough to hide the adder's latency.
EMSCRIPTEN_KEEPALIVE void read_all(int times) {
  for (int round = 0; round < times; ++round) {
    Vec sums[8];
    for (Vec& sum : sums) sum = splat(0.0f);
    for (std::int64_t i = 0; i < g_floats; i += 32) {
      for (int v = 0; v < 8; ++v) sums[v] = add(sums[v], load(g_memory + i + v * kLanes));
    }
    float total = 0.0f;
    for (Vec sum : sums) total += horizontal_sum(sum);
    g_sink = total;
  }
}
}
