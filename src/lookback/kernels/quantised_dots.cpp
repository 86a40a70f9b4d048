// SPDX-License-Identifier: MIT
// Products of block-quantised weights with prepared activations: four weight rows at a time, one pass over the weights.
#include <algorithm>
#include <cstring>

#include "lookback/core/check.hpp"
#include "lookback/kernels/quantised.hpp"
#include "lookback/kernels/quantised_blocks.hpp"
#include "lookback/kernels/simd_int8.hpp"

namespace lookback::kernels {

namespace {

constexpr int kRows = 4;
/// Vectors of a block.
constexpr int kParts = kBlockSize / kShorts;

inline Floats sum_of_products(const Shorts* weights, const std::int16_t* x) {
  Ints sums[kParts];
  for (int i = 0; i < kParts; ++i) sums[i] = dot_pairs(weights[i], load_shorts(x + i * kShorts));
  for (int step = kParts / 2; step > 0; step /= 2) {
    for (int i = 0; i < step; ++i) sums[i] = add(sums[i], sums[i + step]);
  }
  return to_floats(sums[0]);
}

/// Weights against int16, of one part or two.
template <WeightType type, Form kXForm>
struct ShortsDot {
  static constexpr Form kForm = kXForm;
  static constexpr std::int64_t kBlockBytes = type == WeightType::q8_0 ? 34 : 18;
  static bool works() { return true; }
  static void add_offsets(const float*, const float*, Floats&) {}
  static Floats dot(const std::byte* block, const std::byte* numbers) {
    Shorts weights[kParts];
    if constexpr (type == WeightType::q8_0) {
      for (int i = 0; i < kParts; ++i) weights[i] = widen_bytes(block + 2 + i * kShorts);
    } else {
      for (int i = 0; i < kParts / 2; ++i) {
        widen_nibbles(block + 2 + i * kShorts, weights[i], weights[kParts / 2 + i]);
      }
    }
    const auto* x = reinterpret_cast<const std::int16_t*>(numbers);
    if constexpr (kForm == Form::int16) return sum_of_products(weights, x);
    constexpr float kLowUnit = 0x1p-15f;
    const Floats low = sum_of_products(weights, x + kBlockSize);
    return mul_add(low, splat_floats(&kLowUnit), sum_of_products(weights, x));
  }
};

#if defined(__wasm_relaxed_simd__)
/// What the two below share.
struct ByteDot {
  static bool works() { return byte_pairs_work(); }
  /// Four blocks at once: which lane of the sums they go to is all the same.
  static void add_offsets(const float* scales, const float* offsets, Floats& sums) {
    sums = mul_add(load(scales), load(offsets), sums);
  }
};

/// Q8_0 against magnitudes: one instruction where ShortsDot needs four.
struct SignedBytesDot : ByteDot {
  static constexpr Form kForm = Form::signed_bytes;
  static constexpr std::int64_t kBlockBytes = 34;
  static Floats dot(const std::byte* block, const std::byte* numbers) {
    const Shorts low = byte_pairs(flipped(load_bytes(block + 2), load_bytes(numbers + 32)), load_bytes(numbers));
    const Shorts high = byte_pairs(flipped(load_bytes(block + 18), load_bytes(numbers + 48)), load_bytes(numbers + 16));
    const Shorts one = splat_short(1);
    return to_floats(add(dot_pairs(low, one), dot_pairs(high, one)));
  }
};

/// Q4_0 as it lies.
struct NibblesDot : ByteDot {
  static constexpr Form kForm = Form::bytes;
  static constexpr std::int64_t kBlockBytes = 18;
  static Floats dot(const std::byte* block, const std::byte* numbers) {
    Bytes low, high;
    split_nibbles(load_bytes(block + 2), low, high);
    // At most 4 * 127 * 15.
    const Shorts sums = add_shorts(byte_pairs(load_bytes(numbers), low), byte_pairs(load_bytes(numbers + 16), high));
    return to_floats(dot_pairs(sums, splat_short(1)));
  }
};
#endif

/// products [kScaleGroup] = the scales of the next blocks, `count` of which exist, times those of x.
inline void multiply_scales(const std::byte* blocks, std::int64_t stride, std::int64_t count, const float* x_scales,
                            float* products) {
  if (count >= kScaleGroup) [[likely]]
    return multiply_four_scales(blocks, stride, x_scales, products);
  std::byte halves[2 * kScaleGroup + 2] = {};
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(halves + 2 * i, blocks + i * stride, 2);
  multiply_four_scales(halves, 2, x_scales, products);
}

/// output [kRows] = products of rows `stride` bytes apart. False when the engine cannot.
template <class Dot>
bool dot_four(const std::byte* rows, std::int64_t stride, const float* x, std::int64_t blocks, float* output) {
  // Here, and each time: what is compiled anew while the program runs is tested anew.
  if (!Dot::works()) return false;
  const auto* numbers = reinterpret_cast<const std::byte*>(x + numbers_begin(blocks, Dot::kForm));
  Floats sums[kRows];
  std::fill_n(sums, kRows, zero_floats());
  for (std::int64_t first = 0; first < blocks; first += kScaleGroup) {
    const std::int64_t left = blocks - first;
    float scales[kRows][kScaleGroup];
    for (int r = 0; r < kRows; ++r) {
      multiply_scales(rows + r * stride, Dot::kBlockBytes, left, x + first, scales[r]);
      Dot::add_offsets(scales[r], x + padded_blocks(blocks) + first, sums[r]);
    }
    const std::int64_t count = std::min<std::int64_t>(kScaleGroup, left);
    for (std::int64_t i = 0; i < count; ++i, rows += Dot::kBlockBytes, numbers += block_numbers_bytes(Dot::kForm)) {
      for (int r = 0; r < kRows; ++r) {
        sums[r] = mul_add(Dot::dot(rows + r * stride, numbers), splat_floats(&scales[r][i]), sums[r]);
        pin(sums[r]);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) output[r] = total(sums[r]);
  return true;
}

/// output [count] = products of all rows, four at a time that lie a quarter of all apart: each of the four streams is
/// read from its beginning to its end, which prefetchers like; neighbouring rows are read at two thirds of the speed.
template <class Dot>
bool dot_all(const std::byte* rows, std::int64_t count, const float* x, std::int64_t blocks, float* output) {
  const std::int64_t row_size = blocks * Dot::kBlockBytes;
  const std::int64_t quarter = count / kRows;
  const std::int64_t rest = kRows * quarter;
  // What is left over goes alone, as four rows that are the same.
  for (std::int64_t i = 0; i < quarter + count - rest; ++i) {
    const bool is_alone = i >= quarter;
    const std::int64_t first = is_alone ? rest + i - quarter : i;
    float products[kRows];
    if (!dot_four<Dot>(rows + first * row_size, is_alone ? 0 : quarter * row_size, x, blocks, products)) return false;
    for (int r = 0; r < (is_alone ? 1 : kRows); ++r) output[first + r * quarter] = products[r];
  }
  return true;
}

using DotAll = bool (*)(const std::byte*, std::int64_t, const float*, std::int64_t, float*);

/// Null when there is none.
DotAll dot_all_of(WeightType type, Form form) {
  using enum WeightType;
  const bool is_q8 = type == q8_0;
  if (!is_q8 && type != q4_0) return nullptr;
  switch (form) {
    case Form::int16: return is_q8 ? dot_all<ShortsDot<q8_0, Form::int16>> : dot_all<ShortsDot<q4_0, Form::int16>>;
    case Form::two_int16:
      return is_q8 ? dot_all<ShortsDot<q8_0, Form::two_int16>> : dot_all<ShortsDot<q4_0, Form::two_int16>>;
#if defined(__wasm_relaxed_simd__)
    case Form::signed_bytes: return is_q8 ? dot_all<SignedBytesDot> : nullptr;
    case Form::bytes: return is_q8 ? nullptr : dot_all<NibblesDot>;
#endif
    default: return nullptr;
  }
}

}  // namespace

bool meets(WeightType type, Form form) { return dot_all_of(type, form) != nullptr; }

bool quantised_dots(WeightType type, const std::byte* rows, std::int64_t count, const PreparedRows& x, float* output,
                    std::int64_t output_stride) {
  LOOKBACK_ASSERT(x.cols % kBlockSize == 0 && meets(type, x.form));
  const DotAll dot_all = dot_all_of(type, x.form);
  const std::int64_t row_size = row_bytes(type, x.cols);
  const std::int64_t x_stride = prepared_row_floats(x.cols, x.form);
  // Several rows of x meet weights that are still in the cache.
  constexpr std::int64_t kCachedBytes = 1 << 18;
  const std::int64_t cached = std::max<std::int64_t>(kRows, kCachedBytes / std::max<std::int64_t>(row_size, 1));
  const std::int64_t step = x.count == 1 ? count : cached;
  for (std::int64_t first = 0; first < count; first += step) {
    for (std::int64_t t = 0; t < x.count; ++t) {
      const bool done = dot_all(rows + first * row_size, std::min(step, count - first), x.room + t * x_stride,
                                x.cols / kBlockSize, output + t * output_stride + first);
      if (!done) return false;
    }
  }
  return true;
}

}  // namespace lookback::kernels
