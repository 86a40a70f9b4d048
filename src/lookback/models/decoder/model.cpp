// SPDX-License-Identifier: MIT
// Finding each op's weight in the file.
#include "lookback/models/decoder/model.hpp"

namespace lookback::models {

namespace {

std::unique_ptr<Buffer> widened(const kernels::WeightView& weight) {
  auto buffer = std::make_unique<Buffer>(weight.cols);
  kernels::read_row(weight, 0, buffer->data());
  return buffer;
}

}  // namespace

DecoderModel::DecoderModel(io::ModelFile file) : file_(std::move(file)), plan_(make_plan(read_decoder_config(file_))) {
  weights_.resize(plan_.ops.size());
  vectors_.resize(plan_.ops.size());
  for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
    const PlanOp& op = plan_.ops[i];
    if (op.weight.empty()) continue;
    weights_[i] = file_.find_tensor(op.weight)->weight;
    if (op.kind == OpKind::rms_norm) vectors_[i] = widened(weights_[i]);
  }
}

}  // namespace lookback::models
