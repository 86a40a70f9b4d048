// SPDX-License-Identifier: MIT
// What the machine allows a wasm build: multiply-adds from registers, and reading memory. Also kernels without a
// JavaScript face.
#include <emscripten/em_macros.h>

#include <cstdint>
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "lookback/kernels/linear.hpp"
#include "lookback/kernels/simd.hpp"

namespace {

using namespace lookback::kernels;

volatile float g_sink = 0.0f;
volatile float g_factor = 0.999f;

float* g_memory = nullptr;
std::int64_t g_floats = 0;

/// Sums over every number from `first` on, `streams` parts of the memory at once.
template <int kStreams>
float sum_of_memory() {
  Vec sums[8];
  for (Vec& sum : sums) sum = splat(0.0f);
  const std::int64_t part = g_floats / kStreams;
  for (std::int64_t i = 0; i < part; i += 32 / kStreams) {
    for (int s = 0; s < kStreams; ++s) {
      for (int v = 0; v < 8 / kStreams; ++v) {
        Vec& sum = sums[s * (8 / kStreams) + v];
        sum = add(sum, load(g_memory + s * part + i + v * kLanes));
      }
    }
  }
  float total = 0.0f;
  for (Vec sum : sums) total += horizontal_sum(sum);
  return total;
}

struct QuantisedProduct {
  std::int64_t rows = 0, cols = 0;
  std::vector<float> x, output, scratch;
};
QuantisedProduct g_product;

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
  g_floats = static_cast<std::int64_t>(bytes) / 512 * 128;
  g_memory = g_floats ? static_cast<float*>(std::aligned_alloc(64, static_cast<std::size_t>(g_floats) * 4)) : nullptr;
  for (std::int64_t i = 0; g_memory && i < g_floats; ++i) g_memory[i] = 1.0f;
  return g_memory != nullptr;
}

/// Adds up every number of the memory, in 1, 4 or 8 streams.
EMSCRIPTEN_KEEPALIVE void read_all(int streams, int times) {
  for (int round = 0; round < times; ++round) {
    g_sink = streams == 1 ? sum_of_memory<1>() : streams == 4 ? sum_of_memory<4>() : sum_of_memory<8>();
  }
}

/// A Q8_0 matrix in the reserved memory: whatever bytes it holds, with scales of 1.
EMSCRIPTEN_KEEPALIVE bool prepare_q8(double rows, double cols) {
  using lookback::kernels::WeightType;
  QuantisedProduct& p = g_product;
  p.rows = static_cast<std::int64_t>(rows);
  p.cols = static_cast<std::int64_t>(cols);
  const std::int64_t blocks = p.rows * p.cols / 32;
  if (blocks * 34 > g_floats * 4) return false;
  auto* bytes = reinterpret_cast<unsigned char*>(g_memory);
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (int i = 0; i < 34; ++i) bytes[b * 34 + i] = static_cast<unsigned char>(i == 0 ? 0 : i == 1 ? 0x3C : 3 * i + b);
  }
  p.x.assign(static_cast<std::size_t>(p.cols), 0.25f);
  p.output.assign(static_cast<std::size_t>(p.rows), 0.0f);
  p.scratch.assign(static_cast<std::size_t>(lookback::kernels::linear_scratch(1, p.cols)), 0.0f);
  return true;
}

/// The one-row product with int8 or f32 activations.
EMSCRIPTEN_KEEPALIVE void multiply_q8(bool int8, int times) {
  using namespace lookback::kernels;
  QuantisedProduct& p = g_product;
  const WeightView weight{WeightType::q8_0, p.rows, p.cols, reinterpret_cast<const std::byte*>(g_memory)};
  for (int i = 0; i < times; ++i) {
    linear(p.x.data(), 1, weight, p.output.data(), p.scratch.data(), int8 ? Activations::int8 : Activations::f32);
  }
}
}
