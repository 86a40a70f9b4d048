// SPDX-License-Identifier: MIT
// The Llama family's ops, written down layer by layer.
#include "lookback/models/decoder/plan.hpp"

#include <utility>

#include "lookback/core/check.hpp"

namespace lookback::models {

namespace {

/// Appends ops; the tensors they share are made first.
class Builder {
 public:
  explicit Builder(const DecoderConfig& config) : c_(config) {
    plan_.config = config;
    residual_ = tensor("residual", Rows::chunk, c_.width);
    normed_ = tensor("normed", Rows::chunk, c_.width);
    query_ = tensor("query", Rows::chunk, c_.heads * c_.head_dim);
    key_ = tensor("key", Rows::chunk, c_.kv_heads * c_.head_dim);
    value_ = tensor("value", Rows::chunk, c_.kv_heads * c_.head_dim);
    attended_ = tensor("attended", Rows::chunk, c_.heads * c_.head_dim);
    projected_ = tensor("projected", Rows::chunk, c_.width);
    gate_ = tensor("gate", Rows::chunk, c_.feed_forward);
    up_ = tensor("up", Rows::chunk, c_.feed_forward);
    hidden_ = tensor("hidden", Rows::chunk, c_.feed_forward);
    plan_.rotary_cos = tensor("rotary_cos", Rows::chunk, c_.rotary_width / 2);
    plan_.rotary_sin = tensor("rotary_sin", Rows::chunk, c_.rotary_width / 2);
  }

  Plan build() {
    op(OpKind::embedding, {}, residual_, "token_embd.weight");
    for (layer_ = 0; layer_ < c_.layers; ++layer_) {
      attention();
      feed_forward();
    }
    layer_ = -1;
    output();
    return std::move(plan_);
  }

 private:
  int tensor(std::string name, Rows rows, std::int64_t cols) {
    plan_.tensors.push_back({std::move(name), rows, cols});
    return static_cast<int>(plan_.tensors.size()) - 1;
  }

  PlanOp& op(OpKind kind, std::vector<int> inputs, int output, std::string weight = {}) {
    plan_.ops.push_back({kind, layer_, std::move(inputs), output, std::move(weight), 0});
    return plan_.ops.back();
  }

  std::string weight(const char* name) const { return message("blk.", layer_, ".", name, ".weight"); }

  void attention() {
    const std::int64_t kv_width = c_.kv_heads * c_.head_dim;
    const int keys = tensor(message("keys.", layer_), Rows::capacity, kv_width);
    const int values = tensor(message("values.", layer_), Rows::capacity, kv_width);
    plan_.keys.push_back(keys);
    plan_.values.push_back(values);
    op(OpKind::rms_norm, {residual_}, normed_, weight("attn_norm"));
    op(OpKind::linear, {normed_}, query_, weight("attn_q"));
    op(OpKind::linear, {normed_}, key_, weight("attn_k"));
    op(OpKind::linear, {normed_}, value_, weight("attn_v"));
    op(OpKind::rotary, {query_, plan_.rotary_cos, plan_.rotary_sin}, query_).heads = c_.heads;
    op(OpKind::rotary, {key_, plan_.rotary_cos, plan_.rotary_sin}, key_).heads = c_.kv_heads;
    op(OpKind::cache_write, {key_}, keys);
    op(OpKind::cache_write, {value_}, values);
    op(OpKind::cached_attention, {query_, keys, values}, attended_).heads = c_.heads;
    op(OpKind::linear, {attended_}, projected_, weight("attn_output"));
    op(OpKind::add, {residual_, projected_}, residual_);
  }

  void feed_forward() {
    op(OpKind::rms_norm, {residual_}, normed_, weight("ffn_norm"));
    op(OpKind::linear, {normed_}, gate_, weight("ffn_gate"));
    op(OpKind::linear, {normed_}, up_, weight("ffn_up"));
    op(OpKind::silu_multiply, {gate_, up_}, hidden_);
    op(OpKind::linear, {hidden_}, projected_, weight("ffn_down"));
    op(OpKind::add, {residual_, projected_}, residual_);
  }

  void output() {
    const int last = tensor("last", Rows::outputs, c_.width);
    const int last_normed = tensor("last_normed", Rows::outputs, c_.width);
    plan_.logits = tensor("logits", Rows::outputs, c_.vocabulary);
    op(OpKind::take_outputs, {residual_}, last);
    op(OpKind::rms_norm, {last}, last_normed, "output_norm.weight");
    op(OpKind::linear, {last_normed}, plan_.logits, c_.is_output_tied ? "token_embd.weight" : "output.weight");
  }

  const DecoderConfig& c_;
  Plan plan_;
  int layer_ = -1;
  int residual_, normed_, query_, key_, value_, attended_, projected_, gate_, up_, hidden_;
};

}  // namespace

const char* name_of(OpKind kind) {
  switch (kind) {
    case OpKind::embedding: return "embedding";
    case OpKind::rms_norm: return "rms_norm";
    case OpKind::linear: return "linear";
    case OpKind::rotary: return "rotary";
    case OpKind::cache_write: return "cache_write";
    case OpKind::cached_attention: return "cached_attention";
    case OpKind::silu_multiply: return "silu_multiply";
    case OpKind::add: return "add";
    case OpKind::take_outputs: return "take_outputs";
  }
  return "unknown";
}

Plan make_plan(const DecoderConfig& config) { return Builder(config).build(); }

}  // namespace lookback::models
