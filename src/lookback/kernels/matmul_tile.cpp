// SPDX-License-Identifier: MIT
// The register tile, once for every height.
#include "lookback/kernels/matmul_tile.hpp"

#include <utility>

#include "lookback/core/check.hpp"

namespace lookback::kernels::tile {

namespace {

void finish_row(const Vec (&sums)[2], float* output, const float* bias, bool accumulate) {
  for (int v = 0; v < 2; ++v) {
    Vec sum = sums[v];
    if (bias) sum = add(sum, load(bias + v * kLanes));
    if (accumulate) sum = add(sum, load(output + v * kLanes));
    store(output + v * kLanes, sum);
  }
}

// Pinned to the order written here: left alone, compilers interleave the steps of k, and what the engine's register
// allocator then has to keep no longer fits.
template <int... kRow>
void multiply_rows(Left a, Right b, std::int64_t inner, const Target& target, std::integer_sequence<int, kRow...>) {
  Vec sums[sizeof...(kRow)][2];
  for (auto& row : sums) row[0] = row[1] = splat(0.0f);
  for (std::int64_t k = 0; k < inner; ++k) {
    Vec right[2] = {load(b.data), load(b.data + kLanes)};
    pin(right[0]);
    pin(right[1]);
    const auto add_row = [&](Vec(&row)[2], Vec left) {
      pin(left);
      pin(row[0] = mul_add(left, right[0], row[0]));
      pin(row[1] = mul_add(left, right[1], row[1]));
    };
    (add_row(sums[kRow], load_splat(a.data + kRow * a.row_stride)), ...);
    a.data += a.k_stride;
    b.data += b.k_stride;
  }
  (finish_row(sums[kRow], target.output + kRow * target.stride, target.bias, target.accumulate), ...);
}

/// The instance for `rows`, found by counting down from kMost.
template <int kMost>
void multiply_at_most(int rows, const Left& a, const Right& b, std::int64_t inner, const Target& target) {
  if constexpr (kMost > 1) {
    if (rows < kMost) return multiply_at_most<kMost - 1>(rows, a, b, inner, target);
  }
  multiply_rows(a, b, inner, target, std::make_integer_sequence<int, kMost>());
}

}  // namespace

void multiply(int rows, const Left& a, const Right& b, std::int64_t inner, const Target& target) {
  LOOKBACK_ASSERT(rows >= 1 && rows <= kTileRows);
  multiply_at_most<kTileRows>(rows, a, b, inner, target);
}

}  // namespace lookback::kernels::tile
