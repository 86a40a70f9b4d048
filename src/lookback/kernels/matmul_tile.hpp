// SPDX-License-Identifier: MIT
// The register tile of the matrix product: kTileRows x kTileCols sums that never leave the registers while they grow.
// Internal to the kernels.
#pragma once

#include <cstdint>

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

/// target [rows, kTileCols] = (or +=, + bias) a [rows, inner] b [inner, kTileCols] for 1 to kTileRows rows.
void multiply(int rows, const Left& a, const Right& b, std::int64_t inner, const Target& target);

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
