// SPDX-License-Identifier: MIT
// The learning rate over the steps of a run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lookback::training {

/// Rises in a straight line over the first `warmup` steps, then stays, or falls to `least` of itself at step `steps`:
/// along half a cosine (Loshchilov, Hutter, "SGDR", 2017) or in a straight line.
struct Schedule {
  enum class Decay { none, linear, cosine };
  float rate = 1e-3f;
  std::int64_t warmup = 0;
  Decay decay = Decay::none;
  std::int64_t steps = 0;
  float least = 0.1f;

  /// At step 0, 1, ..
  float at(std::int64_t step) const {
    if (step < warmup) return rate * static_cast<float>(step + 1) / static_cast<float>(warmup);
    if (decay == Decay::none || steps <= warmup) return rate;
    const float done = std::min(1.0f, static_cast<float>(step - warmup) / static_cast<float>(steps - warmup));
    const float left = decay == Decay::linear ? 1.0f - done : 0.5f * (1.0f + std::cos(3.14159265f * done));
    return rate * (least + (1.0f - least) * left);
  }
};

}  // namespace lookback::training
