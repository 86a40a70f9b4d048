// SPDX-License-Identifier: MIT
// A block of queries against one block of keys after another: scores by register tiles, a softmax that mends what it
// has summed when a larger score turns up, values by register tiles. Few queries take inner products instead.
//
// Scores are kept in units of log 2, so that 2^x serves, and in strips of a vector's width, each with its own maximum
// and sum. Many queries: strips run down the keys, a query a lane. Few queries: a strip is a query's row of keys.
#include "lookback/kernels/fused_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lookback/core/check.hpp"
#include "lookback/kernels/matmul_kernels.hpp"
#include "lookback/kernels/matmul_tile.hpp"
#include "lookback/kernels/vector_math.hpp"

namespace lookback::kernels {

namespace {

using tile::kTileCols;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLog2OfE = 1.44269504f;
constexpr std::int64_t kRows = 64;
constexpr std::int64_t kKeys = 128;
/// Floats from key to key of many rows' scores: an odd number of cache lines, or they would fall on each other.
constexpr std::int64_t kKeyStep = kRows + 16;
/// Up to this many rows, inner products beat tiles that would be mostly empty.
constexpr std::int64_t kFewRows = 3;
/// Vectors that the softmax takes at a time.
constexpr std::int64_t kUnroll = 4;
static_assert(kRows % kTileCols == 0 && kKeys % (kUnroll * kLanes) == 0 && kFewRows * kLanes <= kRows);

std::int64_t round_up(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }

/// a + b without overflow, for b >= 0.
std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return b > VisibleKeys::kUnlimited - std::max<std::int64_t>(a, 0) ? VisibleKeys::kUnlimited : a + b;
}

/// Room cut from the caller's scratch.
struct Scratch {
  Scratch(float* room, std::int64_t head_dim, std::int64_t value_dim)
      : scores(room),
        queries(scores + kKeyStep * kKeys),
        values(queries + kRows * head_dim),
        sums(values + kKeys * kTileCols),
        maxima(sums + kRows * round_up(value_dim, kTileCols)),
        totals(maxima + kRows),
        factors(totals + kRows) {}

  float* scores;   ///< of one block, then their exponentials
  float* queries;  ///< scaled; transposed for the tile if there are many
  float* values;   ///< the last columns of a block of values, filled up to a tile's width
  float* sums;     ///< [kRows, padded Kv]: exponentials times values so far
  float* maxima;   ///< by strips: largest score so far
  float* totals;   ///< by strips: sum of exponentials so far
  float* factors;  ///< by strips: what the newest maximum makes of earlier sums
};

bool any_infinite_or_nan(const float* x, std::int64_t vectors) {
  Vec zeros_or_nan = splat(0.0f);
  for (std::int64_t i = 0; i < vectors; ++i) {
    const Vec entry = load(x + i * kLanes);
    zeros_or_nan = add(zeros_or_nan, sub(entry, entry));
  }
  return any(is_nan(zeros_or_nan));
}

class FusedAttention {
 public:
  FusedAttention(const AttentionHeads& heads, float* scratch)
      : h_(heads), room_(scratch, heads.head_dim, heads.value_dim), sum_stride_(round_up(heads.value_dim, kTileCols)) {}

  void run() {
    const std::int64_t all = h_.heads * h_.queries;
    for (first_row_ = 0; first_row_ < all; first_row_ += kRows) {
      rows_ = std::min(kRows, all - first_row_);
      is_few_ = rows_ <= kFewRows;
      row_step_ = is_few_ ? kKeys : 1;
      key_step_ = is_few_ ? 1 : kKeyStep;
      skips_dropped_ = false;
      attend();
      if (any_infinite_or_nan(room_.sums, rows_ * sum_stride_ / kLanes)) {
        skips_dropped_ = true;
        attend();
      }
      for (std::int64_t r = 0; r < rows_; ++r) write_output(r);
    }
  }

 private:
  std::int64_t query_of(std::int64_t r) const { return (first_row_ + r) % h_.queries; }
  std::int64_t head_of(std::int64_t r) const { return (first_row_ + r) / h_.queries; }
  const float* key(std::int64_t s) const { return h_.key + (first_key_ + s) * h_.key_stride; }
  const float* value(std::int64_t s) const { return h_.value + (first_key_ + s) * h_.value_stride; }
  float* score(std::int64_t r, std::int64_t s) const { return room_.scores + r * row_step_ + s * key_step_; }

  std::int64_t num_strips() const { return is_few_ ? rows_ : (rows_ + kLanes - 1) / kLanes; }
  /// Number i of strip k lies at scores + k * strip_step() + i * vector_step().
  std::int64_t strip_step() const { return is_few_ ? kKeys : kLanes; }
  std::int64_t vector_step() const { return is_few_ ? kLanes : kKeyStep; }
  std::int64_t num_vectors() const { return round_up(is_few_ ? (keys_ + kLanes - 1) / kLanes : keys_, kUnroll); }
  /// Where the numbers of row r stand among those of the strips.
  std::int64_t place(std::int64_t r) const { return is_few_ ? r * kLanes : r; }

  void attend() {
    std::fill(room_.sums, room_.sums + rows_ * sum_stride_, 0.0f);
    std::fill(room_.maxima, room_.maxima + kRows, -kInfinity);
    std::fill(room_.totals, room_.totals + kRows, 0.0f);
    take_queries();
    find_range();
    for (first_key_ = begin_; first_key_ < end_; first_key_ += kKeys) {
      keys_ = std::min(kKeys, end_ - first_key_);
      compute_scores();
      finish_scores();
      for (std::int64_t k = 0; k < num_strips(); ++k) exponentiate(k);
      add_values();
    }
  }

  void take_queries() {
    const float scale = h_.scale * kLog2OfE;
    const std::int64_t width = is_few_ ? 1 : kTileCols;
    const std::int64_t padded = round_up(rows_, width);
    for (std::int64_t r = 0; r < padded; ++r) {
      const float* query = h_.query + head_of(r) * h_.query_head_stride + query_of(r) * h_.query_stride;
      float* taken = room_.queries + r / width * width * h_.head_dim + r % width;
      for (std::int64_t i = 0; i < h_.head_dim; ++i) taken[i * width] = r < rows_ ? query[i] * scale : 0.0f;
    }
  }

  /// The keys that any row sees, and those that all see.
  void find_range() {
    begin_ = all_from_ = h_.visible.begin(query_of(0));
    end_ = all_to_ = h_.visible.end(query_of(0));
    for (std::int64_t r = 1; r < rows_; ++r) {
      const std::int64_t begin = h_.visible.begin(query_of(r)), end = h_.visible.end(query_of(r));
      begin_ = std::min(begin_, begin);
      end_ = std::max(end_, end);
      all_from_ = std::max(all_from_, begin);
      all_to_ = std::min(all_to_, end);
    }
  }

  void compute_scores() {
    if (is_few_) {
      for (std::int64_t r = 0; r < rows_; ++r) {
        dots(room_.queries + r * h_.head_dim, key(0), h_.key_stride, keys_, h_.head_dim, score(r, 0));
      }
      return;
    }
    tile::for_each_row_tile(keys_, [&](std::int64_t s, int height) {
      for (std::int64_t r = 0; r < rows_; r += kTileCols) {
        tile::multiply(height, {key(s), h_.key_stride, 1}, {room_.queries + r * h_.head_dim, kTileCols}, h_.head_dim,
                       {score(r, s), kKeyStep, nullptr, false});
      }
    });
  }

  /// Caps and masks; what fills the last vectors up is dropped.
  void finish_scores() {
    if (h_.soft_cap > 0.0f) cap_scores();
    for (std::int64_t line = 0; line < (is_few_ ? rows_ : 1); ++line) {
      float* scores = room_.scores + line * kKeys;
      std::fill(scores + keys_ * key_step_, scores + num_vectors() * vector_step(), -kInfinity);
    }
    const bool all_see_all = all_from_ <= first_key_ && first_key_ + keys_ <= all_to_;
    for (std::int64_t r = 0; r < rows_; ++r) {
      if (h_.mask.kind != ScoreMask::Kind::none) apply_mask(r);
      if (!all_see_all) drop_unseen(r);
    }
  }

  void cap_scores() {
    const Vec cap = splat(h_.soft_cap * kLog2OfE);
    const Tanh tanh;
    const std::int64_t lines = is_few_ ? rows_ : keys_;
    for (std::int64_t line = 0; line < lines; ++line) {
      float* scores = room_.scores + line * (is_few_ ? kKeys : kKeyStep);
      map_row(scores, scores, is_few_ ? keys_ : rows_, [cap, &tanh](Vec x) { return mul(cap, tanh(div(x, cap))); });
    }
  }

  void apply_mask(std::int64_t r) const {
    const ScoreMask& mask = h_.mask;
    const float* entry =
        mask.data + head_of(r) * mask.head_stride + query_of(r) * mask.row_stride + first_key_ * mask.col_stride;
    float* x = score(r, 0);
    for (std::int64_t s = 0; s < keys_; ++s, entry += mask.col_stride, x += key_step_) {
      float addend = *entry * kLog2OfE;
      if (mask.kind != ScoreMask::Kind::bias)
        addend = (*entry != 0.0f) == (mask.kind == ScoreMask::Kind::keep) ? 0.0f : -kInfinity;
      *x = addend == -kInfinity ? -kInfinity : *x + addend;
    }
  }

  void drop_unseen(std::int64_t r) const {
    const std::int64_t begin = h_.visible.begin(query_of(r)) - first_key_;
    const std::int64_t end = h_.visible.end(query_of(r)) - first_key_;
    for (std::int64_t s = 0; s < std::min(begin, keys_); ++s) *score(r, s) = -kInfinity;
    for (std::int64_t s = std::max<std::int64_t>(end, 0); s < keys_; ++s) *score(r, s) = -kInfinity;
  }

  /// Strip k of the scores becomes exponentials, and what was summed before is scaled to the new maximum.
  void exponentiate(std::int64_t k) {
    float* strip = room_.scores + k * strip_step();
    const std::int64_t step = vector_step(), count = num_vectors();
    const Vec before = load(room_.maxima + k * kLanes);
    Vec maximum = max(largest(strip, step, count), before);
    if (is_few_) maximum = splat(horizontal_max(maximum));
    if (any(less(splat(std::numeric_limits<float>::max()), maximum))) share_among_infinite(strip, step, count, maximum);
    // With no maximum yet there are only dropped keys, or NaN, which any finite shift lets through.
    const Vec finite_or_least = select(less(maximum, splat(kInfinity)), maximum, splat(0.0f));
    const Vec shift = select(less(splat(-kInfinity), finite_or_least), finite_or_least, splat(0.0f));
    const PowerOfTwo power;
    Vec sum = splat(0.0f);
    for (std::int64_t i = 0; i < count; ++i) {
      float* at = strip + i * step;
      const Vec term = power(sub(load(at), shift));
      store(at, term);
      sum = add(sum, term);
    }
    if (is_few_) sum = splat(horizontal_sum(sum));
    const VecMask is_larger = less(before, maximum);
    // Equal maxima, also infinite ones, leave what was summed as it is.
    const Vec factor = select(is_larger, power(sub(before, maximum)), splat(1.0f));
    store(room_.totals + k * kLanes, mul_add(load(room_.totals + k * kLanes), factor, sum));
    store(room_.maxima + k * kLanes, maximum);
    store(room_.factors + k * kLanes, factor);
  }

  static Vec largest(const float* strip, std::int64_t step, std::int64_t count) {
    Vec most[kUnroll];
    for (Vec& each : most) each = splat(-kInfinity);
    for (std::int64_t i = 0; i < count; i += kUnroll) {
      for (std::int64_t j = 0; j < kUnroll; ++j) most[j] = max(load(strip + (i + j) * step), most[j]);
    }
    return max(max(most[0], most[1]), max(most[2], most[3]));
  }

  /// Where the maximum is +infinity, entries of +infinity become 0 and all others -infinity, except NaN: their
  /// exponentials are the shares.
  static void share_among_infinite(float* strip, std::int64_t step, std::int64_t count, Vec maximum) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Vec entry = load(strip + i * step);
      const Vec share = select(less(entry, splat(kInfinity)), splat(-kInfinity), splat(0.0f));
      const Vec kept = select(is_nan(entry), entry, share);
      store(strip + i * step, select(less(maximum, splat(kInfinity)), entry, kept));
    }
  }

  /// sums [rows, Kv] = factors sums + exponentials value.
  void add_values() {
    for (std::int64_t r = 0; r < rows_; ++r) {
      const float factor = room_.factors[place(r)];
      if (factor == 1.0f || first_key_ == begin_) continue;
      float* sums = room_.sums + r * sum_stride_;
      if (factor == 0.0f) {
        std::fill(sums, sums + sum_stride_, 0.0f);  // infinity too
      } else {
        map_row(sums, sums, sum_stride_, [by = splat(factor)](Vec sum) { return mul(sum, by); });
      }
    }
    if (skips_dropped_) return add_values_that_count();
    if (is_few_) {
      for (std::int64_t r = 0; r < rows_; ++r) {
        add_weighted_rows(score(r, 0), value(0), h_.value_stride, keys_, room_.sums + r * sum_stride_, h_.value_dim);
      }
      return;
    }
    for (std::int64_t c = 0; c < h_.value_dim; c += kTileCols) {
      const tile::Right values = values_panel(c);
      tile::for_each_row_tile(rows_, [&](std::int64_t r, int height) {
        tile::multiply(height, {score(r, 0), 1, kKeyStep}, values, keys_,
                       {room_.sums + r * sum_stride_ + c, sum_stride_, nullptr, true});
      });
    }
  }

  /// The same where infinity or NaN turned up: 0 times it must stay nothing.
  void add_values_that_count() {
    for (std::int64_t r = 0; r < rows_; ++r) {
      for (std::int64_t s = 0; s < keys_; ++s) {
        if (*score(r, s) == 0.0f) continue;
        add_weighted_rows(score(r, s), value(s), h_.value_stride, 1, room_.sums + r * sum_stride_, h_.value_dim);
      }
    }
  }

  /// Columns from c on, where they lie if a whole panel is left, else filled up with zeros.
  tile::Right values_panel(std::int64_t c) {
    const std::int64_t width = h_.value_dim - c;
    if (width >= kTileCols) return {value(0) + c, h_.value_stride};
    std::fill(room_.values, room_.values + keys_ * kTileCols, 0.0f);
    for (std::int64_t s = 0; s < keys_; ++s) std::copy_n(value(s) + c, width, room_.values + s * kTileCols);
    return {room_.values, kTileCols};
  }

  void write_output(std::int64_t r) const {
    float* output = h_.output + head_of(r) * h_.output_head_stride + query_of(r) * h_.output_stride;
    const float total = room_.totals[place(r)];
    // Without a key that counts the sums are 0 and shall stay so.
    const Vec divisor = splat(total == 0.0f ? 1.0f : total);
    map_row(room_.sums + r * sum_stride_, output, h_.value_dim, [&](Vec sum) { return div(sum, divisor); });
  }

  const AttentionHeads& h_;
  Scratch room_;
  std::int64_t sum_stride_;
  // The block of rows at work: rows are the queries of one head after another.
  std::int64_t first_row_ = 0, rows_ = 0;
  bool is_few_ = false;
  std::int64_t row_step_ = 0, key_step_ = 0;  ///< between scores
  std::int64_t begin_ = 0, end_ = 0, all_from_ = 0, all_to_ = 0;
  bool skips_dropped_ = false;
  // And the block of keys.
  std::int64_t first_key_ = 0, keys_ = 0;
};

}  // namespace

std::int64_t VisibleKeys::begin(std::int64_t t) const {
  return left == kUnlimited ? 0 : std::clamp<std::int64_t>(position + t - left, 0, length);
}

std::int64_t VisibleKeys::end(std::int64_t t) const {
  return std::clamp<std::int64_t>(saturating_add(saturating_add(position + t, right), 1), begin(t), length);
}

std::int64_t fused_attention_scratch(std::int64_t head_dim, std::int64_t value_dim) {
  return kRows * (head_dim + round_up(value_dim, kTileCols) + 3) + kKeys * (kKeyStep + kTileCols);
}

void fused_attention(const AttentionHeads& heads, float* scratch) {
  LOOKBACK_ASSERT(heads.visible.left >= 0 && heads.visible.right >= 0 && heads.visible.length >= 0);
  FusedAttention(heads, scratch).run();
}

}  // namespace lookback::kernels
