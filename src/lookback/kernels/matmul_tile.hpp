// SPDX-License-Identifier: MIT
// The register tile of the matrix product: kTileRows x kTileCols sums that never leave the registers while they grow.
// Internal to the kernels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "lookback/kernels/simd.hpp"

namespace lookback::kernels::tile {

/// Two vectors a row; 5 rows (of 16 registers) and 12 (of 32) are what measurement favours.
inline constexpr int kTileRows = kRegisters == 32 ? 12 : 5;
inline constexpr int kTileCols = 2 * kLanes;

/// One factor of a tile: number (i, k) of a at data[i * row_stride + k * k_stride], row k of b at data + k * k_stride.
struct Left {
  const float* data;
  std::int64_t row_stride;
  std::int64_t k_stride;
};
struct Right {
  const float* data;
  std::int64_t k_stride;
};

/// Where a tile's sums begin and end.
struct Target {
  float* output;        ///< element (0, 0) of the tile
  std::int64_t stride;  ///< from row to row
  const float* bias;    ///< of the tile's columns, or null
  bool accumulate;
};

inline void finish_row(const Vec (&sums)[2], float* output, const float* bias, bool accumulate) {
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
inline void multiply(Left a, Right b, std::int64_t inner, const Target& target, std::integer_sequence<int, kRow...>) {
  Vec sums[sizeof...(kRow)][2];
  for (auto& row : sums) row[0] = row[1] = splat(0.0f);
  for (std::int64_t k = 0; k < inner; ++k) {
    Vec right[2] = {load(b.data), load(b.data + kLanes)};
    pin(right[0]);
    pin(right[1]);
    const auto add_row = [&](Vec (&row)[2], Vec left) {
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

/// target [kRows, kTileCols] = (or +=, + bias) a [kRows, inner] b [inner, kTileCols].
template <int kRows>
void multiply(const Left& a, const Right& b, std::int64_t inner, const Target& target) {
  multiply(a, b, inner, target, std::make_integer_sequence<int, kRows>());
}

/// f(std::integral_constant<int, n>()) for an n in [1, kMost].
template <int kMost, class Function>
inline void with_constant(int n, const Function& f) {
  if constexpr (kMost > 1) {
    if (n < kMost) return with_constant<kMost - 1>(n, f);
  }
  f(std::integral_constant<int, kMost>());
}

/// Rows [0, count) cut into tiles of nearly equal height, none above kTileRows: 16 = 4 x 4, not 3 x 5 + 1.
template <class Function>
void for_each_row_tile(std::int64_t count, const Function& f) {
  const std::int64_t tiles = (count + kTileRows - 1) / kTileRows;
  for (std::int64_t i = 0, row = 0; i < tiles; ++i) {
    const int height = static_cast<int>(count / tiles + (i < count % tiles));
    f(row, height);
    row += height;
  }
}

}  // namespace lookback::kernels::tile
