// SPDX-License-Identifier: MIT
// A session's state: chunks begun, finished and forgotten. What each op computes is in session_ops.cpp.
#include "lookback/models/decoder/session.hpp"

#include <algorithm>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/kernels/rotary.hpp"

namespace lookback::models {

namespace {

std::int64_t checked_capacity(const DecoderConfig& config, std::int64_t capacity) {
  if (capacity < 0 || capacity > config.context) {
    throw RangeError(message("decoder: capacity should be 1 to the context ", config.context, ", it is ", capacity));
  }
  return capacity == 0 ? config.context : capacity;
}

}  // namespace

DecoderSession::DecoderSession(std::shared_ptr<const DecoderModel> model, std::int64_t capacity)
    : model_(std::move(model)), capacity_(checked_capacity(model_->config(), capacity)) {
  const Plan& plan = model_->plan();
  buffers_.resize(plan.tensors.size());
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    const PlanTensor& tensor = plan.tensors[i];
    if (tensor.rows == Rows::capacity) buffers_[i] = std::make_unique<Buffer>(capacity_ * tensor.cols);
  }
}

void DecoderSession::check_begin(std::span<const io::TokenId> tokens) const {
  if (is_running_) throw StateError("decoder: a run is not finished; advance() it to the end or cancel() it");
  if (tokens.empty()) throw ValueError("decoder: a chunk needs at least one token");
  const std::int64_t vocabulary = model_->config().vocabulary;
  for (const io::TokenId token : tokens) {
    if (token < 0 || token >= vocabulary)
      throw RangeError(message("decoder: token ", token, " is outside the vocabulary of ", vocabulary));
  }
  const auto count = static_cast<std::int64_t>(tokens.size());
  if (count > capacity_ - position_) {
    throw StateError(message("decoder: the context is full: ", position_, " tokens read, ", count,
                             " more do not fit into ", capacity_));
  }
}

/// Makes the activations large enough; those that are stay.
void DecoderSession::reserve(std::int64_t num_tokens) {
  const std::int64_t num_outputs = options_.all_logits ? num_tokens : 1;
  const Plan& plan = model_->plan();
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    const PlanTensor& tensor = plan.tensors[i];
    if (tensor.rows == Rows::capacity) continue;
    const std::int64_t size = tensor.cols * (tensor.rows == Rows::chunk ? num_tokens : num_outputs);
    if (!buffers_[i] || buffers_[i]->size() < size) buffers_[i] = std::make_unique<Buffer>(size);
  }
  const std::int64_t room = scratch_floats(plan.config, capacity_, num_tokens);
  if (!scratch_ || scratch_->size() < room) scratch_ = std::make_unique<Buffer>(room);
  if (!options_.attention) return;
  const DecoderConfig& c = plan.config;
  const std::int64_t row = c.layers * num_tokens * c.heads;
  const std::int64_t span = position_ + num_tokens;
  // Each step of a generation sees one more key: half as much again saves most of the allocations.
  if (!attention_ || attention_->size() < row * span)
    attention_ = std::make_unique<Buffer>(row * std::min(span + span / 2, capacity_));
}

void DecoderSession::fill_rotary_angles() {
  const Plan& plan = model_->plan();
  const std::int64_t pairs = plan.config.rotary_width / 2;
  for (std::int64_t t = 0; t < num_tokens_; ++t) {
    kernels::rotary_angles(position_ + t, plan.config.rotary_base, plan.config.rotary_width,
                           data(plan.rotary_cos) + t * pairs, data(plan.rotary_sin) + t * pairs);
  }
}

void DecoderSession::begin(std::span<const io::TokenId> tokens, const RunOptions& options) {
  check_begin(tokens);
  has_results_ = false;
  options_ = options;
  reserve(static_cast<std::int64_t>(tokens.size()));
  tokens_.assign(tokens.begin(), tokens.end());
  num_tokens_ = static_cast<std::int64_t>(tokens.size());
  next_op_ = 0;
  fill_rotary_angles();
  is_running_ = true;
}

bool DecoderSession::advance(std::int64_t max_ops) {
  if (!is_running_) throw StateError("decoder: advance() without begin()");
  if (max_ops < 1) throw ValueError(message("decoder: advance() should run 1 op or more, not ", max_ops));
  const std::int64_t end = next_op_ + std::min(max_ops, num_ops() - next_op_);
  for (; next_op_ < end; ++next_op_) execute(static_cast<std::size_t>(next_op_));
  if (next_op_ < num_ops()) return false;
  position_ += num_tokens_;
  run_end_ = position_;
  is_running_ = false;
  has_results_ = true;
  return true;
}

void DecoderSession::run(std::span<const io::TokenId> tokens, const RunOptions& options) {
  begin(tokens, options);
  advance(num_ops());
}

void DecoderSession::truncate(std::int64_t length) {
  if (length < 0 || length > position_) {
    throw RangeError(message("decoder: truncate to 0 .. ", position_, " tokens, not to ", length));
  }
  cancel();
  position_ = length;
}

void DecoderSession::check_finished(const char* function) const {
  if (!has_results_) throw StateError(message("decoder: ", function, "() before a run has finished"));
}

std::span<const float> DecoderSession::logits() const {
  check_finished("logits");
  const auto vocabulary = static_cast<std::size_t>(model_->config().vocabulary);
  const float* first = buffers_[static_cast<std::size_t>(model_->plan().logits)]->data();
  return {first + (options_.all_logits ? static_cast<std::size_t>(num_tokens_ - 1) * vocabulary : 0), vocabulary};
}

std::span<const float> DecoderSession::all_logits() const {
  check_finished("all_logits");
  if (!options_.all_logits) throw StateError("decoder: the run was not asked for all logits");
  const std::int64_t size = num_tokens_ * model_->config().vocabulary;
  return {buffers_[static_cast<std::size_t>(model_->plan().logits)]->data(), static_cast<std::size_t>(size)};
}

std::span<const float> DecoderSession::attention() const {
  check_finished("attention");
  if (!options_.attention) throw StateError("decoder: the run was not asked for attention");
  const std::int64_t size = model_->config().layers * num_tokens_ * model_->config().heads * run_end_;
  return {attention_->data(), static_cast<std::size_t>(size)};
}

const Buffer& DecoderSession::cache(std::int64_t layer, bool is_keys) const {
  const Plan& plan = model_->plan();
  if (layer < 0 || layer >= plan.config.layers)
    throw RangeError(message("decoder: layer ", layer, " is outside 0 .. ", plan.config.layers - 1));
  const auto& ids = is_keys ? plan.keys : plan.values;
  return *buffers_[static_cast<std::size_t>(ids[static_cast<std::size_t>(layer)])];
}

std::span<const float> DecoderSession::cached_keys(std::int64_t layer) const {
  const Buffer& buffer = cache(layer, true);
  return {buffer.data(), static_cast<std::size_t>(buffer.size())};
}

std::span<const float> DecoderSession::cached_values(std::int64_t layer) const {
  const Buffer& buffer = cache(layer, false);
  return {buffer.data(), static_cast<std::size_t>(buffer.size())};
}

std::int64_t DecoderSession::byte_length() const {
  std::int64_t floats = (scratch_ ? scratch_->size() : 0) + (attention_ ? attention_->size() : 0);
  for (const auto& buffer : buffers_) floats += buffer ? buffer->size() : 0;
  return floats * static_cast<std::int64_t>(sizeof(float));
}

}  // namespace lookback::models
