// SPDX-License-Identifier: MIT
// Attention functions for JavaScript: convert, call, convert.
#include <emscripten/val.h>

#include "lookback/attention/lookup.hpp"
#include "lookback/attention/multi_head.hpp"
#include "lookback/attention/score.hpp"
#include "lookback/bindings/convert.hpp"
#include "lookback/bindings/functions.hpp"
#include "lookback/bindings/resident.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::bindings {

namespace {

attention::LookupOptions lookup_options(const val& options) {
  return {.mask = to_mask(options),
          .temperature = static_cast<float>(optional_number(options, "temperature").value_or(1.0)),
          .is_hard = flag(options, "hard")};
}

/// Adds the reading of `scores` to `result`.
void add_reading(val& result, const Tensor& scores, const Tensor& keys, const val& options) {
  const Tensor values = optional(options, "values").value_or(keys);
  const attention::Lookup reading = attention::lookup(scores, values, lookup_options(options));
  result.set("scores", from_tensor(scores));
  result.set("weights", from_tensor(reading.weights));
  result.set("context", from_tensor(reading.context));
}

Tensor luong_scores(const std::string& kind, const Tensor& query, const Tensor& keys, const val& options) {
  if (kind == "dot") return attention::dot_scores(query, keys);
  if (kind == "general") return attention::general_scores(query, keys, required("luong", options, "Wa"));
  if (kind == "concat") {
    return attention::concat_scores(query, keys, required("luong", options, "Wa"), required("luong", options, "va"));
  }
  throw ValueError(message("luong: `score` must be 'dot', 'general' or 'concat', got '", kind, "'"));
}

std::optional<float> optional_float(const val& options, const char* name) {
  const std::optional<double> number = optional_number(options, name);
  return number ? std::optional(static_cast<float>(*number)) : std::nullopt;
}

std::optional<std::int64_t> optional_integer(const val& options, const char* name) {
  const std::optional<double> number = optional_number(options, name);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::int64_t integer_or(const val& options, const char* name, std::int64_t otherwise) {
  return optional_integer(options, name).value_or(otherwise);
}

attention::PositionRule position_rule(const val& options) {
  attention::PositionRule rule;
  rule.causal = to_causal(options);
  rule.query_position = optional_integer(options, "queryPosition");
  rule.window_left = integer_or(options, "windowLeft", attention::PositionRule::kUnlimited);
  rule.window_right = integer_or(options, "windowRight", attention::PositionRule::kUnlimited);
  if (!options["validLengths"].isUndefined()) rule.valid_lengths = to_integers(options["validLengths"]);
  return rule;
}

bool is_captured(const val& options) { return !flag(options, "fused"); }

attention::ScaledDotProductOptions attention_options(const val& options, std::optional<std::int64_t> heads = {},
                                                     std::optional<std::int64_t> kv_heads = {}) {
  return {.scale = optional_float(options, "scale"),
          .soft_cap = optional_float(options, "softCap"),
          .mask = to_mask(options),
          .positions = position_rule(options),
          .past_key = optional(options, "pastKey"),
          .past_value = optional(options, "pastValue"),
          .heads = heads,
          .kv_heads = kv_heads,
          .capture = is_captured(options)};
}

/// As an array, or the number of a resident tensor where `resident` is set.
void set_output(val& result, const Tensor& output, const val& options) {
  result.set("output", flag(options, "resident") ? val(keep(output)) : from_tensor(output));
}

nn::Linear projection(const val& options, const char* weight, const char* bias) {
  return {required("multiHead", options, weight), optional(options, bias)};
}

}  // namespace

val additive(val options) {
  const Tensor keys = required("additive", options, "keys");
  const attention::AdditiveWeights weights{required("additive", options, "Wa"), required("additive", options, "Ua"),
                                           required("additive", options, "va"), optional(options, "ba")};
  const auto scored = attention::additive_scores(required("additive", options, "query"), keys, weights);
  val result = val::object();
  add_reading(result, scored.scores, keys, options);
  result.set("queryProjection", from_tensor(scored.query_projection));
  result.set("keyProjection", from_tensor(scored.key_projection));
  result.set("hidden", from_tensor(scored.hidden));
  return result;
}

val luong(val options) {
  const Tensor keys = required("luong", options, "keys");
  const Tensor query = required("luong", options, "query");
  val result = val::object();
  add_reading(result, luong_scores(text_or(options, "score", ""), query, keys, options), keys, options);
  return result;
}

val scaled_dot_product(val options) {
  const auto computed = attention::scaled_dot_product(
      required("scaledDotProduct", options, "q"), required("scaledDotProduct", options, "k"),
      required("scaledDotProduct", options, "v"),
      attention_options(options, optional_integer(options, "heads"), optional_integer(options, "kvHeads")));
  val result = val::object();
  set_output(result, computed.output, options);
  if (is_captured(options)) {
    result.set("weights", from_tensor(computed.weights));
    result.set("scores", from_tensor(computed.scores));
    result.set("cappedScores", from_tensor(computed.capped_scores));
    result.set("maskedScores", from_tensor(computed.masked_scores));
  }
  if (!options["pastKey"].isUndefined()) {
    result.set("presentKey", from_tensor(computed.present_key));
    result.set("presentValue", from_tensor(computed.present_value));
  }
  return result;
}

val multi_head(val options) {
  const Tensor x = required("multiHead", options, "x");
  const Tensor memory = optional(options, "memory").value_or(x);
  attention::MultiHeadWeights weights{projection(options, "Wq", "bq"), projection(options, "Wk", "bk"),
                                      projection(options, "Wv", "bv"), std::nullopt};
  if (optional(options, "Wo")) weights.output = projection(options, "Wo", "bo");
  const std::int64_t heads = integer_or(options, "heads", 0);
  const auto computed = attention::multi_head(
      x, memory, weights,
      {.heads = heads, .kv_heads = integer_or(options, "kvHeads", heads), .attention = attention_options(options)});
  val result = val::object();
  set_output(result, computed.output, options);
  if (!is_captured(options)) return result;
  result.set("q", from_tensor(computed.query));
  result.set("k", from_tensor(computed.key));
  result.set("v", from_tensor(computed.value));
  result.set("scores", from_tensor(computed.heads.scores));
  result.set("maskedScores", from_tensor(computed.heads.masked_scores));
  result.set("weights", from_tensor(computed.heads.weights));
  result.set("headOutputs", from_tensor(computed.heads.output));
  return result;
}

}  // namespace lookback::bindings
