// SPDX-License-Identifier: MIT
// Ends of rows, and the places of first and last states.
#include "lookback/kernels/recurrent_rows.hpp"

namespace lookback::kernels {

std::int64_t first_place(const RecurrentRun& run) { return run.is_reversed ? run.steps : 0; }
std::int64_t last_place(const RecurrentRun& run) { return run.is_reversed ? 0 : run.steps; }

namespace recurrent {

Vec load_part(const float* row, std::int64_t count) {
  float rest[kLanes] = {};
  std::copy_n(row, count, rest);
  return load(rest);
}

void store_part(float* row, std::int64_t count, Vec x) {
  float rest[kLanes];
  store(rest, x);
  std::copy_n(rest, count, row);
}

}  // namespace recurrent

}  // namespace lookback::kernels
