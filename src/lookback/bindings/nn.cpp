// SPDX-License-Identifier: MIT
// Layers, positions and resident tensors for JavaScript: convert, call, convert.
#include <emscripten/val.h>

#include "lookback/attention/position.hpp"
#include "lookback/bindings/convert.hpp"
#include "lookback/bindings/functions.hpp"
#include "lookback/bindings/resident.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/core/memory.hpp"
#include "lookback/nn/embedding.hpp"
#include "lookback/nn/linear.hpp"
#include "lookback/tensor/elementwise.hpp"
#include "lookback/tensor/norm.hpp"
#include "lookback/tensor/softmax.hpp"

namespace lookback::bindings {

namespace {

constexpr double kDefaultEpsilon = 1e-5;
constexpr double kDefaultBase = 10000.0;

int axis_of(const val& options) { return static_cast<int>(optional_number(options, "axis").value_or(-1)); }

float epsilon_of(const val& options) {
  return static_cast<float>(optional_number(options, "epsilon").value_or(kDefaultEpsilon));
}

attention::RotaryPairing pairing_of(const val& options) {
  const std::string name = text_or(options, "pairing", "");
  if (name == "interleaved") return attention::RotaryPairing::interleaved;
  if (name == "half") return attention::RotaryPairing::half;
  throw ValueError(message("rotary: `pairing` must be 'interleaved' or 'half', got '", name, "'"));
}

std::vector<std::int64_t> first_positions(std::int64_t count) {
  std::vector<std::int64_t> positions;
  for (std::int64_t t = 0; t < count; ++t) positions.push_back(t);
  return positions;
}

}  // namespace

val softmax(val options) {
  const auto temperature = static_cast<float>(optional_number(options, "temperature").value_or(1.0));
  return from_tensor(lookback::softmax(required("softmax", options, "x"), axis_of(options), temperature));
}

val log_softmax(val options) {
  return from_tensor(lookback::log_softmax(required("logSoftmax", options, "x"), axis_of(options)));
}

val layer_norm(val options) {
  const LayerNormResult computed =
      lookback::layer_norm(required("layerNorm", options, "x"), optional(options, "weight"), optional(options, "bias"),
                           epsilon_of(options), axis_of(options));
  val result = val::object();
  result.set("output", from_tensor(computed.output));
  result.set("mean", from_tensor(computed.mean));
  result.set("inverseDeviation", from_tensor(computed.inverse_deviation));
  return result;
}

val rms_norm(val options) {
  return from_tensor(lookback::rms_norm(required("rmsNorm", options, "x"), optional(options, "weight"),
                                        epsilon_of(options), axis_of(options)));
}

val activation(val options) {
  const std::string name = text_or(options, "function", "");
  const Tensor x = required(name.c_str(), options, "x");
  if (name == "gelu_erf") return from_tensor(gelu_erf(x));
  if (name == "gelu_tanh") return from_tensor(gelu_tanh(x));
  if (name == "tanh") return from_tensor(lookback::tanh(x));
  if (name == "sigmoid") return from_tensor(lookback::sigmoid(x));
  if (name == "swish") {
    return from_tensor(lookback::swish(x, static_cast<float>(optional_number(options, "alpha").value_or(1.0))));
  }
  throw ValueError(message("activation: unknown function '", name, "'"));
}

val linear(val options) {
  const nn::Linear layer{required("linear", options, "weight"), optional(options, "bias")};
  return from_tensor(layer.forward(required("linear", options, "x")));
}

val embedding(val options) {
  return from_tensor(nn::Embedding{required("embedding", options, "table")}.forward(to_integers(options["ids"])));
}

val sinusoidal(val options) {
  const bool is_concatenated = text_or(options, "layout", "interleaved") == "concatenated";
  return from_tensor(attention::sinusoidal(
      static_cast<std::int64_t>(optional_number(options, "length").value_or(0.0)),
      static_cast<std::int64_t>(optional_number(options, "width").value_or(0.0)),
      {.base = optional_number(options, "base").value_or(kDefaultBase),
       .layout = is_concatenated ? attention::SinusoidLayout::concatenated : attention::SinusoidLayout::interleaved}));
}

val rotary(val options) {
  const Tensor x = required("rotary", options, "x");
  attention::RotaryOptions rotary_options{
      pairing_of(options), optional_number(options, "base").value_or(kDefaultBase), {}};
  if (const auto width = optional_number(options, "width")) rotary_options.width = static_cast<std::int64_t>(*width);
  const bool has_positions = !options["positions"].isUndefined();
  const std::int64_t length = x.rank() >= 2 ? x.dim(-2) : 0;
  return from_tensor(attention::rotary(x, has_positions ? to_integers(options["positions"]) : first_positions(length),
                                       rotary_options));
}

val rotary_from_tables(val options) {
  return from_tensor(attention::rotary_from_tables(required("rotary", options, "x"), required("rotary", options, "cos"),
                                                   required("rotary", options, "sin"), pairing_of(options)));
}

val make_tensor(val array) { return val(keep(to_tensor(array))); }

val read_tensor(val tensor) { return from_tensor(to_tensor(tensor)); }

val stats() {
  val result = val::object();
  result.set("bytes", static_cast<double>(live_bytes()));
  constexpr double kPageBytes = 65536;
  result.set("heapBytes", static_cast<double>(__builtin_wasm_memory_size(0)) * kPageBytes);
  return result;
}

}  // namespace lookback::bindings
