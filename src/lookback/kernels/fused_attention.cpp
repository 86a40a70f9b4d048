// SPDX-License-Identifier: MIT
// A block of queries against one block of keys after another: scores by register tiles, a softmax that mends what it
// has summed when a larger score turns up, values by register tiles. Few queries take inner products instead.
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
constexpr std::int64_t kQueries = 128;
constexpr std::int64_t kKeys = 128;
/// Below this, packing keys for the tile costs more than it brings.
constexpr std::int64_t kFewQueries = 3;
static_assert(kKeys % kTileCols == 0);

std::int64_t padded(std::int64_t n) { return (n + kTileCols - 1) / kTileCols * kTileCols; }

/// a + b without overflow, for b >= 0.
std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return b > VisibleKeys::kUnlimited - std::max<std::int64_t>(a, 0) ? VisibleKeys::kUnlimited : a + b;
}

/// Room cut from the caller's scratch.
struct Scratch {
  Scratch(float* room, std::int64_t head_dim, std::int64_t value_dim)
      : scores(room),
        panels(scores + kQueries * kKeys),
        sums(panels + kKeys * std::max<std::int64_t>(head_dim, kTileCols)),
        maxima(sums + kQueries * padded(value_dim)),
        totals(maxima + kQueries) {}

  float* scores;  ///< [kQueries, kKeys], then the exponentials
  float* panels;  ///< keys transposed for the tile, then the last columns of the values
  float* sums;    ///< [kQueries, padded Kv]: exponentials times values so far
  float* maxima;  ///< [kQueries]: largest score so far
  float* totals;  ///< [kQueries]: sum of exponentials so far
};

class FusedAttention {
 public:
  FusedAttention(const AttentionHead& head, float* scratch)
      : h_(head), room_(scratch, head.head_dim, head.value_dim), sum_stride_(padded(head.value_dim)) {}

  void run() {
    for (first_query_ = 0; first_query_ < h_.queries; first_query_ += kQueries) {
      queries_ = std::min(kQueries, h_.queries - first_query_);
      attend_block();
    }
  }

 private:
  void attend_block() {
    std::fill(room_.sums, room_.sums + queries_ * sum_stride_, 0.0f);
    std::fill(room_.maxima, room_.maxima + queries_, -kInfinity);
    std::fill(room_.totals, room_.totals + queries_, 0.0f);
    // Both ends move to the right with t.
    const std::int64_t begin = h_.visible.begin(first_query_);
    const std::int64_t end = h_.visible.end(first_query_ + queries_ - 1);
    for (first_key_ = begin; first_key_ < end; first_key_ += kKeys) {
      keys_ = std::min(kKeys, end - first_key_);
      compute_scores();
      for (std::int64_t t = 0; t < queries_; ++t) exponentiate(t);
      add_values();
    }
    for (std::int64_t t = 0; t < queries_; ++t) write_output(t);
  }

  const float* query(std::int64_t t) const { return h_.query + (first_query_ + t) * h_.query_stride; }
  const float* key(std::int64_t s) const { return h_.key + (first_key_ + s) * h_.key_stride; }
  const float* value(std::int64_t s) const { return h_.value + (first_key_ + s) * h_.value_stride; }
  bool has_few_queries() const { return queries_ <= kFewQueries; }

  /// scores [queries, keys] = query key^T.
  void compute_scores() {
    if (has_few_queries()) {
      for (std::int64_t t = 0; t < queries_; ++t) {
        dots(query(t), key(0), h_.key_stride, keys_, h_.head_dim, room_.scores + t * kKeys);
      }
      return;
    }
    for (std::int64_t s = 0; s < keys_; s += kTileCols) {
      float* panel = room_.panels + s * h_.head_dim;
      const std::int64_t width = std::min<std::int64_t>(kTileCols, keys_ - s);
      if (width < kTileCols) std::fill(panel, panel + h_.head_dim * kTileCols, 0.0f);
      pack_transposed(key(s), h_.key_stride, h_.head_dim, width, kTileCols, panel);
      tile::for_each_row_tile(queries_, [&](std::int64_t t, int height) {
        tile::multiply(height, {query(t), h_.query_stride, 1}, {panel, kTileCols}, h_.head_dim,
                       {room_.scores + t * kKeys + s, kKeys, nullptr, false});
      });
    }
  }

  /// Scores of row t with cap and mask, times 1 / factor(), and -infinity where they do not count, up to a whole number
  /// of vectors.
  void finish_scores(std::int64_t t, float* row) const {
    if (!is_scaled_late()) map_row(row, row, keys_, [by = splat(h_.scale)](Vec score) { return mul(score, by); });
    if (h_.soft_cap > 0.0f) {
      map_row(row, row, keys_, [cap = splat(h_.soft_cap)](Vec score) { return mul(cap, tanh(div(score, cap))); });
    }
    if (h_.mask.kind != ScoreMask::Kind::none) apply_mask(t, row);
    const std::int64_t query_index = first_query_ + t;
    const std::int64_t begin = std::clamp<std::int64_t>(h_.visible.begin(query_index) - first_key_, 0, keys_);
    const std::int64_t end = std::clamp<std::int64_t>(h_.visible.end(query_index) - first_key_, begin, keys_);
    std::fill(row, row + begin, -kInfinity);
    std::fill(row + end, row + padded(keys_), -kInfinity);
  }

  /// Without a cap or addends the scale, if above 0, can wait for the exponential.
  bool is_scaled_late() const {
    return h_.scale > 0.0f && h_.soft_cap == 0.0f && h_.mask.kind != ScoreMask::Kind::bias;
  }
  float factor() const { return is_scaled_late() ? h_.scale : 1.0f; }

  void apply_mask(std::int64_t t, float* row) const {
    const ScoreMask& mask = h_.mask;
    const float* entry = mask.data + (first_query_ + t) * mask.row_stride + first_key_ * mask.col_stride;
    for (std::int64_t s = 0; s < keys_; ++s, entry += mask.col_stride) {
      switch (mask.kind) {
        case ScoreMask::Kind::keep: row[s] = *entry == 0.0f ? -kInfinity : row[s]; break;
        case ScoreMask::Kind::ignore: row[s] = *entry == 0.0f ? row[s] : -kInfinity; break;
        default: row[s] = *entry == -kInfinity ? -kInfinity : row[s] + *entry;
      }
    }
  }

  /// Row t of the scores becomes exponentials, and what was summed before is scaled to the new maximum.
  void exponentiate(std::int64_t t) {
    float* row = room_.scores + t * kKeys;
    finish_scores(t, row);
    const std::int64_t n = padded(keys_);
    Vec largest = splat(-kInfinity);
    for (std::int64_t s = 0; s < n; s += kLanes) largest = max(load(row + s), largest);
    const float before = room_.maxima[t];
    const float maximum = std::max(before, horizontal_max(largest));
    if (maximum == kInfinity) share_among_infinite(row, n);
    // With no maximum yet there are only dropped keys, or NaN, which any finite shift lets through.
    const Vec by = splat(factor());
    const Vec shift = splat(std::isfinite(maximum) ? maximum : 0.0f);
    Vec sum = splat(0.0f);
    for (std::int64_t s = 0; s < n; s += kLanes) {
      const Vec term = exp_of_nonpositive(mul(sub(load(row + s), shift), by));
      store(row + s, term);
      sum = add(sum, term);
    }
    // Also when both are infinite, or nothing was summed before, nothing changes.
    if (before != maximum) rescale(t, before == -kInfinity ? 1.0f : std::exp((before - maximum) * factor()));
    room_.totals[t] += horizontal_sum(sum);
    room_.maxima[t] = maximum;
  }

  /// Entries of +infinity become 0 and all others -infinity, except NaN: their exponentials are the shares.
  static void share_among_infinite(float* row, std::int64_t n) {
    for (std::int64_t s = 0; s < n; ++s) {
      if (!std::isnan(row[s])) row[s] = row[s] == kInfinity ? 0.0f : -kInfinity;
    }
  }

  void rescale(std::int64_t t, float factor) {
    if (factor == 1.0f) return;
    float* sums = room_.sums + t * sum_stride_;
    map_row(sums, sums, sum_stride_, [by = splat(factor)](Vec sum) { return mul(sum, by); });
    room_.totals[t] *= factor;
  }

  /// sums [queries, Kv] += exponentials value.
  void add_values() {
    if (has_few_queries()) {
      for (std::int64_t t = 0; t < queries_; ++t) {
        add_weighted_rows(room_.scores + t * kKeys, value(0), h_.value_stride, keys_, room_.sums + t * sum_stride_,
                          h_.value_dim);
      }
      return;
    }
    for (std::int64_t c = 0; c < h_.value_dim; c += kTileCols) {
      const tile::Right values = values_panel(c);
      tile::for_each_row_tile(queries_, [&](std::int64_t t, int height) {
        tile::multiply(height, {room_.scores + t * kKeys, kKeys, 1}, values, keys_,
                       {room_.sums + t * sum_stride_ + c, sum_stride_, nullptr, true});
      });
    }
  }

  /// Columns from c on, where they lie if a whole panel is left, else filled up with zeros.
  tile::Right values_panel(std::int64_t c) {
    const std::int64_t width = h_.value_dim - c;
    if (width >= kTileCols) return {value(0) + c, h_.value_stride};
    std::fill(room_.panels, room_.panels + keys_ * kTileCols, 0.0f);
    for (std::int64_t s = 0; s < keys_; ++s) std::copy_n(value(s) + c, width, room_.panels + s * kTileCols);
    return {room_.panels, kTileCols};
  }

  void write_output(std::int64_t t) const {
    float* output = h_.output + (first_query_ + t) * h_.output_stride;
    const float total = room_.totals[t];
    if (total == 0.0f) {
      std::fill(output, output + h_.value_dim, 0.0f);
      return;
    }
    const float* sums = room_.sums + t * sum_stride_;
    map_row(sums, output, h_.value_dim, [divisor = splat(total)](Vec sum) { return div(sum, divisor); });
  }

  const AttentionHead& h_;
  Scratch room_;
  std::int64_t sum_stride_;
  // The block at work.
  std::int64_t first_query_ = 0, queries_ = 0;
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
  return kQueries * kKeys + kKeys * std::max<std::int64_t>(head_dim, kTileCols) + kQueries * padded(value_dim) +
         2 * kQueries;
}

void fused_attention(const AttentionHead& head, float* scratch) {
  LOOKBACK_ASSERT(head.visible.left >= 0 && head.visible.right >= 0 && head.visible.length >= 0);
  FusedAttention(head, scratch).run();
}

}  // namespace lookback::kernels
