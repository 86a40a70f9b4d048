// SPDX-License-Identifier: MIT
// The matrix product of tensors.
#pragma once

#include "lookback/tensor/tensor.hpp"

namespace lookback {

struct MatmulOptions {
  bool transpose_a = false;  ///< a is [.., K, M]
  bool transpose_b = false;  ///< b is [.., N, K]
};

/// a [.., M, K] b [.., K, N] -> [.., M, N]; leading axes broadcast. A vector a [K] gives [.., N], a vector b [K] gives
/// [.., M], two vectors a number. Extents of 0 are allowed; K = 0 gives zeros.
/// Throws ShapeError naming both shapes when K or the leading axes disagree.
Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options = {});

/// x weight + bias in one pass: x [in] or [.., in], weight [in, out], bias [out] -> [.., out].
/// Throws ShapeError naming the shapes.
Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace lookback
