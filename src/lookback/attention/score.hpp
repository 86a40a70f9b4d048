// SPDX-License-Identifier: MIT
// Score functions: how well a query matches each key.
#pragma once

#include <optional>

#include "lookback/tensor/tensor.hpp"

namespace lookback::attention {

/// query . key. query [Dq] or [.., T, D], keys [.., S, D] -> [S] or [.., T, S].
/// Throws ShapeError naming both shapes when D disagrees, as all scores do. Luong, Pham, Manning 2015, eq. 7, "dot".
Tensor dot_scores(const Tensor& query, const Tensor& keys);

/// query W_a key. W_a [Dq, Dk]. Luong, Pham, Manning 2015, eq. 7, "general".
Tensor general_scores(const Tensor& query, const Tensor& keys, const Tensor& weight);

/// v_a . tanh([query; key] W_a), query first. W_a [Dq + Dk, N], v_a [N].
/// Luong, Pham, Manning 2015, eq. 7, "concat".
Tensor concat_scores(const Tensor& query, const Tensor& keys, const Tensor& weight, const Tensor& vector);

struct AdditiveWeights {
  Tensor query_weight;           ///< W_a [Dq, N]
  Tensor key_weight;             ///< U_a [Dk, N]
  Tensor vector;                 ///< v_a [N]
  std::optional<Tensor> bias{};  ///< b_a [N], inside the tanh
};

struct AdditiveScores {
  Tensor scores;            ///< [S] or [.., T, S]
  Tensor query_projection;  ///< query W_a: [N] or [.., T, N]
  Tensor key_projection;    ///< keys U_a: [.., S, N]
  Tensor hidden;            ///< tanh(...): [S, N] or [.., T, S, N]
};

/// v_a . tanh(query W_a + key U_a + b_a). query [Dq] or [.., T, Dq], keys [.., S, Dk].
/// Bahdanau, Cho, Bengio, "Neural Machine Translation by Jointly Learning to Align and Translate", 2015, appendix
/// A.1.2.
AdditiveScores additive_scores(const Tensor& query, const Tensor& keys, const AdditiveWeights& weights);

/// The same with keys U_a [.., S, N] computed before: it does not depend on the query, so once a sentence is enough.
AdditiveScores additive_scores_projected(const Tensor& query, const Tensor& key_projection,
                                         const AdditiveWeights& weights);

}  // namespace lookback::attention
