// SPDX-License-Identifier: MIT
// What each op of the plan computes, in the same order as OpKind; T rows at a time.
#include <algorithm>

#include "lookback/kernels/activation.hpp"
#include "lookback/kernels/cached_attention.hpp"
#include "lookback/kernels/linear.hpp"
#include "lookback/kernels/norm.hpp"
#include "lookback/kernels/rotary.hpp"
#include "lookback/models/decoder/session.hpp"

namespace lookback::models {

std::int64_t DecoderSession::rows_of(int tensor) const {
  const Rows rows = model_->plan().tensors[static_cast<std::size_t>(tensor)].rows;
  if (rows == Rows::capacity) return capacity_;
  return rows == Rows::outputs && !options_.all_logits ? 1 : num_tokens_;
}

std::int64_t DecoderSession::cols_of(int tensor) const {
  return model_->plan().tensors[static_cast<std::size_t>(tensor)].cols;
}

void DecoderSession::execute(std::size_t index) {
  const PlanOp& op = model_->plan().ops[index];
  switch (op.kind) {
    case OpKind::embedding: return embed(index);
    case OpKind::rms_norm: return normalize(index);
    case OpKind::linear: return multiply(index);
    case OpKind::rotary: return rotate(op);
    case OpKind::cache_write: return write_cache(op);
    case OpKind::cached_attention: return attend(op);
    case OpKind::silu_multiply: return silu_multiply(op);
    case OpKind::add: return add(op);
    case OpKind::take_outputs: return take_outputs(op);
  }
}

void DecoderSession::embed(std::size_t index) {
  float* output = data(model_->plan().ops[index].output);
  const std::int64_t width = model_->config().width;
  for (const io::TokenId token : tokens_) {
    kernels::read_row(model_->weight(index), token, output);
    output += width;
  }
}

void DecoderSession::normalize(std::size_t index) {
  const PlanOp& op = model_->plan().ops[index];
  const std::int64_t width = cols_of(op.output);
  const float* x = data(op.inputs[0]);
  float* output = data(op.output);
  for (std::int64_t t = 0; t < rows_of(op.output); ++t) {
    kernels::rms_norm_row(x + t * width, model_->vector(index), model_->config().norm_epsilon, output + t * width,
                          width);
  }
}

void DecoderSession::multiply(std::size_t index) {
  const PlanOp& op = model_->plan().ops[index];
  kernels::linear(data(op.inputs[0]), rows_of(op.output), model_->weight(index), data(op.output), scratch_->data());
}

void DecoderSession::rotate(const PlanOp& op) {
  const DecoderConfig& c = model_->config();
  const std::int64_t pairs = c.rotary_width / 2;
  float* x = data(op.output);
  for (std::int64_t t = 0; t < num_tokens_; ++t) {
    const float* cos = data(op.inputs[1]) + t * pairs;
    const float* sin = data(op.inputs[2]) + t * pairs;
    for (std::int64_t head = 0; head < op.heads; ++head, x += c.head_dim)
      kernels::rotate_pairs(x, cos, sin, pairs, c.rotary_pairing);
  }
}

void DecoderSession::write_cache(const PlanOp& op) {
  const std::int64_t width = cols_of(op.output);
  const float* x = data(op.inputs[0]);
  std::copy(x, x + num_tokens_ * width, data(op.output) + position_ * width);
}

void DecoderSession::attend(const PlanOp& op) {
  const DecoderConfig& c = model_->config();
  kernels::CachedAttentionSizes sizes;
  sizes.heads = op.heads;
  sizes.kv_heads = c.kv_heads;
  sizes.head_dim = c.head_dim;
  sizes.num_queries = num_tokens_;
  sizes.position = position_;
  sizes.capacity = capacity_;
  float* weights =
      options_.attention ? attention_->data() + op.layer * num_tokens_ * c.heads * (position_ + num_tokens_) : nullptr;
  kernels::cached_attention(data(op.inputs[0]), data(op.inputs[1]), data(op.inputs[2]), sizes, data(op.output),
                            scratch_->data(), weights);
}

void DecoderSession::silu_multiply(const PlanOp& op) {
  kernels::silu_multiply_row(data(op.inputs[0]), data(op.inputs[1]), data(op.output), num_tokens_ * cols_of(op.output));
}

void DecoderSession::add(const PlanOp& op) {
  const float* b = data(op.inputs[1]);
  float* output = data(op.output);
  const std::int64_t size = num_tokens_ * cols_of(op.output);
  for (std::int64_t i = 0; i < size; ++i) output[i] += b[i];
}

void DecoderSession::take_outputs(const PlanOp& op) {
  const std::int64_t size = rows_of(op.output) * cols_of(op.output);
  const float* end = data(op.inputs[0]) + num_tokens_ * cols_of(op.output);
  std::copy(end - size, end, data(op.output));
}

}  // namespace lookback::models
