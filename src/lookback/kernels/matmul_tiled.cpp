// SPDX-License-Identifier: MIT
// Products of any size by register tiles. Blocks of the operands are copied into panels that the tile reads front to
// back, or read where they lie when that is as good. A panel of b [kInner, kTileCols] stays in the first cache, a block
// of a [kRows, kInner] in the second.
#include <algorithm>

#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/matmul_tile.hpp"

namespace lookback::kernels {

namespace {

using tile::kTileCols;
using tile::kTileRows;

constexpr std::int64_t kRows = kTileRows == 12 ? 192 : 130;
constexpr std::int64_t kCols = 512;
constexpr std::int64_t kInner = kLanes == 4 ? 384 : 256;

/// Panels packed at a time.
constexpr std::int64_t kPanels = 4;

std::int64_t round_up(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }

/// The least number of nearly equal blocks, none above `limit`, in place of full ones and a small rest.
std::int64_t even_block(std::int64_t n, std::int64_t limit) {
  const std::int64_t blocks = (n + limit - 1) / limit;
  return (n + blocks - 1) / blocks;
}

struct Blocks {
  std::int64_t rows, cols, inner;
};

Blocks blocks_of(const MatmulSizes& s) {
  return {even_block(s.rows, kRows), round_up(even_block(s.cols, kCols), kTileCols), even_block(s.inner, kInner)};
}

/// panel[k * pitch + c] = x[k * stride + c].
void pack_rows(const float* x, std::int64_t stride, std::int64_t inner, std::int64_t width, std::int64_t pitch,
               float* panel) {
  for (std::int64_t k = 0; k < inner; ++k) {
    const float* from = x + k * stride;
    float* to = panel + k * pitch;
    std::int64_t c = 0;
    for (; c + kLanes <= width; c += kLanes) store(to + c, load(from + c));
    for (; c < width; ++c) to[c] = from[c];
  }
}

/// One product under way, block by block.
class Product {
 public:
  Product(const float* a, const float* b, float* output, const MatmulSizes& s, float* scratch,
          const MatmulExtras& extras, bool pack_all)
      : a_(a), b_(b), output_(output), s_(s), extras_(extras), pack_all_(pack_all), block_(blocks_of(s)) {
    packed_b_ = scratch;
    packed_a_ = scratch + block_.cols * block_.inner;
  }

  void run() {
    for (col_ = 0; col_ < s_.cols; col_ += block_.cols) {
      cols_ = std::min(block_.cols, s_.cols - col_);
      for (k_ = 0; k_ < s_.inner; k_ += block_.inner) {
        inner_ = std::min(block_.inner, s_.inner - k_);
        if (is_b_packed()) pack_b();
        for (row_ = 0; row_ < s_.rows; row_ += block_.rows) {
          rows_ = std::min(block_.rows, s_.rows - row_);
          if (pack_all_) pack_a();
          multiply_block();
        }
      }
    }
  }

 private:
  bool is_b_packed() const { return pack_all_ || s_.transpose_b; }

  std::int64_t panel_width(std::int64_t c) const { return std::min<std::int64_t>(kTileCols, cols_ - c); }

  /// The panel that begins at column c of the block, filled up with zeros at the matrix's right edge.
  void pack_panel(std::int64_t c) {
    float* panel = packed_b_ + c * inner_;
    const std::int64_t width = panel_width(c);
    if (width < kTileCols) std::fill(panel, panel + inner_ * kTileCols, 0.0f);
    if (s_.transpose_b) {
      pack_transposed(b_ + (col_ + c) * s_.inner + k_, s_.inner, inner_, width, kTileCols, panel);
    } else {
      pack_rows(b_ + k_ * s_.cols + col_ + c, s_.cols, inner_, width, kTileCols, panel);
    }
  }

  void pack_b() {
    std::int64_t c = 0;
    if (!s_.transpose_b) {
      for (; c + kPanels * kTileCols <= cols_; c += kPanels * kTileCols) pack_panels(c);
    }
    for (; c < cols_; c += kTileCols) pack_panel(c);
  }

  /// Some whole panels side by side, so that cache lines of b are read once.
  void pack_panels(std::int64_t c) {
    for (std::int64_t k = 0; k < inner_; ++k) {
      const float* from = b_ + (k_ + k) * s_.cols + col_ + c;
      float* to = packed_b_ + c * inner_ + k * kTileCols;
      for (std::int64_t p = 0; p < kPanels; ++p, from += kTileCols, to += inner_ * kTileCols) {
        store(to, load(from));
        store(to + kLanes, load(from + kLanes));
      }
    }
  }

  /// Panels as high as their row tiles, one after another.
  void pack_a() {
    tile::for_each_row_tile(rows_, [&](std::int64_t first, int height) {
      float* panel = packed_a_ + first * inner_;
      if (s_.transpose_a) {
        pack_rows(a_ + k_ * s_.rows + row_ + first, s_.rows, inner_, height, height, panel);
      } else {
        pack_transposed(a_ + (row_ + first) * s_.inner + k_, s_.inner, inner_, height, height, panel);
      }
    });
  }

  tile::Left left(std::int64_t row, int height) const {
    if (pack_all_) return {packed_a_ + row * inner_, 1, height};
    if (s_.transpose_a) return {a_ + k_ * s_.rows + row_ + row, 1, s_.rows};
    return {a_ + (row_ + row) * s_.inner + k_, s_.inner, 1};
  }

  tile::Right right(std::int64_t c) {
    if (is_b_packed()) return {packed_b_ + c * inner_, kTileCols};
    if (panel_width(c) == kTileCols) return {b_ + k_ * s_.cols + col_ + c, s_.cols};
    pack_panel(c);  // a tile would read beyond the last row's end
    return {packed_b_ + c * inner_, kTileCols};
  }

  void multiply_block() {
    for (std::int64_t c = 0; c < cols_; c += kTileCols) {
      const tile::Right b = right(c);
      tile::for_each_row_tile(rows_, [&](std::int64_t row, int height) {
        const std::int64_t width = panel_width(c);
        const tile::Target target{output_ + (row_ + row) * s_.cols + col_ + c, s_.cols,
                                  k_ == 0 && extras_.bias ? extras_.bias + col_ + c : nullptr,
                                  k_ > 0 || extras_.accumulate};
        if (width == kTileCols) {
          tile::multiply(height, left(row, height), b, inner_, target);
        } else {
          multiply_edge(left(row, height), b, height, width, target);
        }
      });
    }
  }

  /// A tile that stands over the right edge: computed apart, then cut off.
  void multiply_edge(const tile::Left& a, const tile::Right& b, int height, std::int64_t width,
                     const tile::Target& target) const {
    float sums[kTileRows * kTileCols];
    tile::multiply(height, a, b, inner_, {sums, kTileCols, nullptr, false});
    for (std::int64_t i = 0; i < height; ++i) {
      for (std::int64_t j = 0; j < width; ++j) {
        float& output = target.output[i * target.stride + j];
        const float sum = sums[i * kTileCols + j] + (target.bias ? target.bias[j] : 0.0f);
        output = target.accumulate ? output + sum : sum;
      }
    }
  }

  const float* a_;
  const float* b_;
  float* output_;
  const MatmulSizes& s_;
  const MatmulExtras& extras_;
  bool pack_all_;
  Blocks block_;
  float* packed_a_;
  float* packed_b_;
  // The block at work: its first row, column and k, and its extents.
  std::int64_t row_ = 0, col_ = 0, k_ = 0;
  std::int64_t rows_ = 0, cols_ = 0, inner_ = 0;
};

}  // namespace

void pack_transposed(const float* x, std::int64_t stride, std::int64_t inner, std::int64_t width, std::int64_t pitch,
                     float* panel) {
  std::int64_t c = 0;
  for (; c + 4 <= width; c += 4) {
    std::int64_t k = 0;
    for (; k + 4 <= inner; k += 4) transpose_4x4(x + c * stride + k, stride, panel + k * pitch + c, pitch);
    for (; k < inner; ++k) {
      for (std::int64_t i = c; i < c + 4; ++i) panel[k * pitch + i] = x[i * stride + k];
    }
  }
  for (; c < width; ++c) {
    for (std::int64_t k = 0; k < inner; ++k) panel[k * pitch + c] = x[c * stride + k];
  }
}

std::int64_t matmul_tiled_scratch(const MatmulSizes& s) {
  if (s.rows == 0 || s.cols == 0 || s.inner == 0) return 0;
  const Blocks block = blocks_of(s);
  return (block.rows + block.cols) * block.inner;
}

void matmul_tiled(const float* a, const float* b, float* output, const MatmulSizes& sizes, float* scratch,
                  const MatmulExtras& extras, bool pack_all) {
  Product(a, b, output, sizes, scratch, extras, pack_all).run();
}

}  // namespace lookback::kernels
