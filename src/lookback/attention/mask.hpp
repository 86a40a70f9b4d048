// SPDX-License-Identifier: MIT
// Which keys a query may see: masks typed by name, and rules about positions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "lookback/kernels/fused_attention.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

/// What happens to scores before the softmax. A dropped score becomes -infinity, whatever it was, so that its weight is
/// exactly 0. The mask's shape broadcasts to the scores' [.., T, S].
class Mask {
 public:
  /// Keeps every key.
  Mask() = default;
  /// 1 keeps a key, 0 drops it. Throws ValueError when another number is present: an additive mask is no keep mask.
  static Mask keep(Tensor ones_and_zeros);
  /// 1 drops a key, 0 keeps it.
  static Mask ignore(Tensor ones_and_zeros);
  /// Added to the scores; -infinity drops a key. Throws ValueError for NaN and +infinity.
  static Mask bias(Tensor addends);

  /// Scores of the same shape. Throws ShapeError when the mask does not broadcast to it.
  Tensor apply(const Tensor& scores) const;

  /// The part from one head of scores [.., T, S] on, which are never stored; `head` counts through the leading axes.
  /// Borrows the mask's numbers. Throws ShapeError when the mask does not broadcast to the scores.
  kernels::ScoreMask rows(const Shape& scores, std::int64_t head) const;

 private:
  using Kind = kernels::ScoreMask::Kind;
  Mask(Kind kind, Tensor values) : kind_(kind), values_(std::move(values)) {}

  Kind kind_ = Kind::none;
  Tensor values_;
};

enum class Causal {
  none,
  bottom_right,  ///< the last query sees every key: what a cache needs
  top_left,      ///< query 0 sees key 0 only
};

/// Rules that follow from where queries and keys stand. Query t stands at key position `query_position + t`.
struct PositionRule {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  Causal causal = Causal::none;
  /// Key position of query 0. Default: S - T for bottom_right (per item: its valid length - T), else 0.
  std::optional<std::int64_t> query_position{};
  std::int64_t window_left = kUnlimited;   ///< keys further left than this of the query are dropped
  std::int64_t window_right = kUnlimited;  ///< and further right
  /// Number of real keys of each batch item, [B]; keys beyond it are dropped. Empty: all are real.
  std::vector<std::int64_t> valid_lengths{};

  bool is_trivial() const;
  /// The keys that the queries of a batch item see, of scores [.., T, S]. Throws as apply does.
  kernels::VisibleKeys visible(const Shape& scores, std::int64_t item) const;
  /// Scores [.., T, S], batch items along the first of four axes, with the keys outside the rule dropped.
  /// Throws ShapeError when valid_lengths does not match B, RangeError for a length outside [0, S] or a negative
  /// window.
  Tensor apply(const Tensor& scores) const;
};

}  // namespace lookback::attention
