// SPDX-License-Identifier: MIT
// Limits of a model's sizes.
#include "lookback/models/language_model/config.hpp"

#include <cmath>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::models::language_model {

namespace {

void check_size(const char* name, std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return;
  throw ValueError(message("language_model: ", name, " must be from 1 to ", most, ", got ", value));
}

}  // namespace

void Config::check() const {
  constexpr std::int64_t kMost = 1 << 16;
  check_size("vocabulary", vocabulary, kMost);
  check_size("context", context, kMost);
  check_size("width", width, kMost);
  check_size("layers", layers, 1 << 10);
  check_size("heads", heads, width);
  check_size("kv_heads", kv_heads, heads);
  check_size("feed_forward", feed_forward, kMost);
  if (width % heads != 0 || head_dim() % 2 != 0) {
    throw ValueError(
        message("language_model: a width of ", width, " does not give ", heads, " heads of an even width"));
  }
  if (heads % kv_heads != 0) {
    throw ValueError(message("language_model: ", kv_heads, " key/value heads do not divide ", heads, " heads"));
  }
  if (!(rotary_base > 0.0) || !std::isfinite(rotary_base)) {
    throw ValueError(message("language_model: the rotary base must be above 0 and finite, got ", rotary_base));
  }
  if (!(norm_epsilon >= 0.0f) || !std::isfinite(norm_epsilon)) {
    throw ValueError(message("language_model: the norm's epsilon must be 0 or more, got ", norm_epsilon));
  }
  if (!(dropout >= 0.0f && dropout < 1.0f)) {
    throw ValueError(message("language_model: dropout must be in [0, 1), got ", dropout));
  }
}

}  // namespace lookback::models::language_model
