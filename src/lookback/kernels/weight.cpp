// SPDX-License-Identifier: MIT
// One table says what the types are.
#include "lookback/kernels/weight.hpp"

#include <cstring>

#include "lookback/core/check.hpp"
#include "lookback/kernels/half.hpp"
#include "lookback/kernels/quantised.hpp"

namespace lookback::kernels {

namespace {

struct Layout {
  const char* name;
  std::int64_t block_length;
  std::int64_t block_bytes;
};

Layout layout_of(WeightType type) {
  switch (type) {
    case WeightType::f32: return {"f32", 1, 4};
    case WeightType::f16: return {"f16", 1, 2};
    case WeightType::bf16: return {"bf16", 1, 2};
    case WeightType::q8_0: return {"q8_0", kBlockSize, 34};
    case WeightType::q4_0: return {"q4_0", kBlockSize, 18};
    case WeightType::q4_k: return {"q4_k", kSuperBlockSize, 144};
    case WeightType::q6_k: return {"q6_k", kSuperBlockSize, 210};
  }
  return {"unknown", 1, 0};
}

}  // namespace

const char* name_of(WeightType type) { return layout_of(type).name; }

std::int64_t block_length(WeightType type) { return layout_of(type).block_length; }

std::int64_t row_bytes(WeightType type, std::int64_t cols) {
  const Layout layout = layout_of(type);
  return cols / layout.block_length * layout.block_bytes;
}

void read_row(const WeightView& weight, std::int64_t row, float* output) {
  LOOKBACK_ASSERT(row >= 0 && row < weight.rows);
  if (weight.cols == 0) return;  // memcpy takes no null, not even for nothing
  const std::byte* const bytes = weight.bytes + row * row_bytes(weight.type, weight.cols);
  switch (weight.type) {
    case WeightType::f32: std::memcpy(output, bytes, static_cast<std::size_t>(weight.cols) * sizeof(float)); return;
    case WeightType::f16: return halves_to_floats(bytes, output, weight.cols);
    case WeightType::bf16: return bfloats_to_floats(bytes, output, weight.cols);
    default: return dequantise_row(weight.type, bytes, weight.cols, output);
  }
}

}  // namespace lookback::kernels
