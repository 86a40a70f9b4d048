// SPDX-License-Identifier: MIT
// A plan as JSON.
#include <cstdio>
#include <string>

#include "lookback/core/check.hpp"
#include "lookback/models/decoder/plan.hpp"

namespace lookback::models {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    constexpr const char* digits = "0123456789abcdef";
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (code < 0x20)
      result += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    else
      result += c;
  }
  return result + "\"";
}

const char* name_of(Rows rows) {
  if (rows == Rows::chunk) return "chunk";
  return rows == Rows::outputs ? "outputs" : "capacity";
}

/// Every digit, so that the number reads back the same.
std::string exact(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

/// The items as `write` turns them into text, with brackets and commas.
template <typename Items, typename Write>
std::string list(const Items& items, Write write) {
  std::string result = "[";
  for (const auto& item : items) {
    if (result.size() > 1) result += ',';
    result += write(item);
  }
  return result + "]";
}

std::string list_of_ids(const std::vector<int>& ids) {
  return list(ids, [](int id) { return message(id); });
}

std::string json_of(const DecoderConfig& c) {
  const bool is_interleaved = c.rotary_pairing == kernels::RotaryPairing::interleaved;
  return message(
      "{\"architecture\":", quoted(c.architecture), ",\"name\":", quoted(c.name), ",\"layers\":", c.layers,
      ",\"heads\":", c.heads, ",\"kvHeads\":", c.kv_heads, ",\"headDim\":", c.head_dim, ",\"width\":", c.width,
      ",\"feedForward\":", c.feed_forward, ",\"vocabulary\":", c.vocabulary, ",\"context\":", c.context,
      ",\"rotaryWidth\":", c.rotary_width, ",\"rotaryBase\":", exact(c.rotary_base), ",\"rotaryPairing\":\"",
      is_interleaved ? "interleaved" : "half", "\",\"normEpsilon\":", exact(static_cast<double>(c.norm_epsilon)),
      ",\"isOutputTied\":", c.is_output_tied ? "true" : "false", "}");
}

std::string json_of(const PlanTensor& tensor) {
  return message("{\"name\":", quoted(tensor.name), ",\"rows\":\"", name_of(tensor.rows), "\",\"cols\":", tensor.cols,
                 "}");
}

std::string json_of(const PlanOp& op) {
  std::string result = message("{\"op\":\"", name_of(op.kind), "\"");
  if (op.layer >= 0) result += message(",\"layer\":", op.layer);
  result += message(",\"inputs\":", list_of_ids(op.inputs), ",\"output\":", op.output);
  if (!op.weight.empty()) result += message(",\"weight\":", quoted(op.weight));
  if (op.heads > 0) result += message(",\"heads\":", op.heads);
  return result + "}";
}

}  // namespace

std::string to_json(const Plan& plan) {
  return message("{\"config\":", json_of(plan.config), ",\"rotaryCos\":", plan.rotary_cos,
                 ",\"rotarySin\":", plan.rotary_sin, ",\"logits\":", plan.logits, ",\"keys\":", list_of_ids(plan.keys),
                 ",\"values\":", list_of_ids(plan.values),
                 ",\"tensors\":", list(plan.tensors, [](const auto& tensor) { return json_of(tensor); }),
                 ",\"ops\":", list(plan.ops, [](const auto& op) { return json_of(op); }), "}");
}

}  // namespace lookback::models
