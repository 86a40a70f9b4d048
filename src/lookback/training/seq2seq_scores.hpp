// SPDX-License-Identifier: MIT
// How good greedy outputs are. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/training/seq2seq_trainer.hpp"

namespace lookback::training {

LengthScore score_length(const models::seq2seq::EncoderDecoder& model, const std::vector<Example>& examples,
                         std::int64_t length);

}  // namespace lookback::training
