// SPDX-License-Identifier: MIT
// Rows of a table by index.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/tensor/tensor.hpp"

namespace lookback {

/// Rows ids_i of table [V, D] -> [len(ids), D]. Throws RangeError naming the id and V.
Tensor gather_rows(const Tensor& table, const std::vector<std::int64_t>& ids);

}  // namespace lookback
