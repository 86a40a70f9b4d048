// SPDX-License-Identifier: MIT
// Positions: sinusoidal encoding and rotary embedding.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lookback/kernels/rotary.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

enum class SinusoidLayout {
  interleaved,   ///< sin, cos, sin, cos, ...: the paper's
  concatenated,  ///< all sines, then all cosines
};

struct SinusoidOptions {
  double base = 10000.0;  ///< above 1
  SinusoidLayout layout = SinusoidLayout::interleaved;
};

/// PE[p, 2i] = sin(p / base^(2i/D)), PE[p, 2i+1] = cos of the same angle -> [length, width]. An odd width ends in a
/// sine. Throws ValueError. Vaswani et al. 2017, section 3.5.
Tensor sinusoidal(std::int64_t length, std::int64_t width, const SinusoidOptions& options = {});

using kernels::RotaryPairing;

struct RotaryOptions {
  RotaryPairing pairing = RotaryPairing::interleaved;
  double base = 10000.0;                ///< above 0
  std::optional<std::int64_t> width{};  ///< R: how many leading features turn; even; default K
};

/// Turns pairs of features of x [.., T, K] by positions[t] * base^(-2i/R); the features beyond R stay.
/// positions [T]. Throws ShapeError for their count, ValueError for an odd R or one above K.
/// Su et al., "RoFormer", 2021.
Tensor rotary(const Tensor& x, const std::vector<std::int64_t>& positions, const RotaryOptions& options = {});

/// The same turn with angles from tables: cos, sin [T, R/2] or [B, T, R/2], x [.., T, K] or [B, .., T, K].
Tensor rotary_from_tables(const Tensor& x, const Tensor& cos, const Tensor& sin, RotaryPairing pairing);

}  // namespace lookback::attention
