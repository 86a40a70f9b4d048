// SPDX-License-Identifier: MIT
// Recurrent layers for JavaScript: convert, call, convert.
#include <emscripten/val.h>

#include "lookback/bindings/convert.hpp"
#include "lookback/bindings/functions.hpp"
#include "lookback/nn/gru.hpp"
#include "lookback/nn/lstm.hpp"

namespace lookback::bindings {

namespace {

struct Order {
  std::string from;
  const char* to;
};

Tensor in_order(const val& weights, const char* name, const Order& order) {
  return nn::gates_in_order(required("recurrent", weights, name), order.from, order.to);
}

nn::Linear product(const val& weights, const char* weight, const char* bias, const Order& order) {
  nn::Linear result{in_order(weights, weight, order), std::nullopt};
  if (!weights[bias].isUndefined()) result.bias = in_order(weights, bias, order);
  return result;
}

/// The weights of one direction; its first state joins the options.
std::optional<nn::RecurrentWeights> direction(const val& weights, const Order& order, nn::RecurrentOptions& options) {
  if (weights.isUndefined()) return std::nullopt;
  options.first.push_back({optional(weights, "hidden"), optional(weights, "cell")});
  return nn::RecurrentWeights{product(weights, "W", "bW", order), product(weights, "R", "bR", order)};
}

nn::RecurrentResult computed(const val& options) {
  const std::string reset = text_or(options, "reset", "");
  const char* usual = reset.empty() ? "ifgo" : "rzn";
  const Order order{text_or(options, "gates", usual), usual};
  nn::RecurrentOptions given;
  if (!options["lengths"].isUndefined()) given.lengths = to_integers(options["lengths"]);
  const auto forward_weights = direction(options["forward"], order, given);
  const auto reverse_weights = direction(options["reverse"], order, given);
  const Tensor x = required("recurrent", options, "x");
  if (reset.empty()) return nn::Lstm{forward_weights, reverse_weights}.forward(x, given);
  const nn::GruReset place = reset == "before" ? nn::GruReset::before : nn::GruReset::after;
  return nn::Gru{place, forward_weights, reverse_weights}.forward(x, given);
}

}  // namespace

val recurrent(val options) {
  const nn::RecurrentResult result = computed(options);
  val object = val::object();
  object.set("output", from_tensor(result.output));
  std::size_t place = 0;
  for (const char* name : {"forward", "reverse"}) {
    if (options[name].isUndefined()) continue;
    const SequenceState& last = result.last[place++];
    val state = val::object();
    state.set("hidden", from_tensor(*last.hidden));
    if (last.cell) state.set("cell", from_tensor(*last.cell));
    object.set(name, state);
  }
  return object;
}

}  // namespace lookback::bindings
