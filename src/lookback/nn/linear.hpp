// SPDX-License-Identifier: MIT
// The affine map.
#pragma once

#include <optional>

#include "lookback/tensor/tensor.hpp"

namespace lookback::nn {

/// y = x weight + bias, rows times a matrix.
struct Linear {
  Tensor weight;                 ///< [in, out]
  std::optional<Tensor> bias{};  ///< [out]

  /// x [.., in] -> [.., out]. Throws ShapeError naming both shapes when `in` or the bias disagree.
  Tensor forward(const Tensor& x) const;
};

}  // namespace lookback::nn
