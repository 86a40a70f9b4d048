// SPDX-License-Identifier: MIT
// A decoder that is ready to run: file, numbers, plan and where each weight lies.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "lookback/core/memory.hpp"
#include "lookback/io/model_file.hpp"
#include "lookback/kernels/linear.hpp"
#include "lookback/models/decoder/config.hpp"
#include "lookback/models/decoder/memory_estimate.hpp"
#include "lookback/models/decoder/plan.hpp"

namespace lookback::models {

/// Weights stay where the file has them; only the vectors of the norms are copied (widened to f32). Never changes after
/// construction, so that many sessions share one.
class DecoderModel {
 public:
  /// Throws what read_decoder_config throws.
  explicit DecoderModel(io::ModelFile file);

  const io::ModelFile& file() const { return file_; }
  const DecoderConfig& config() const { return plan_.config; }
  const Plan& plan() const { return plan_; }

  /// Weight matrix of op `index` of the plan; its bytes are null when the op has none.
  const kernels::WeightView& weight(std::size_t index) const { return weights_[index]; }
  /// Weight vector of op `index` as f32; null when the op has none. For norms.
  const float* vector(std::size_t index) const { return vectors_[index] ? vectors_[index]->data() : nullptr; }

 private:
  io::ModelFile file_;
  Plan plan_;
  std::vector<kernels::WeightView> weights_;
  std::vector<std::unique_ptr<Buffer>> vectors_;
};

}  // namespace lookback::models
