// SPDX-License-Identifier: MIT
// Values across the boundary to JavaScript: arrays are copied both ways, errors become plain objects.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lookback/attention/mask.hpp"
#include "lookback/tensor/tensor.hpp"

namespace lookback::bindings {

using emscripten::val;

/// The number of a resident tensor, or {data: Float32Array, shape: number[]}.
Tensor to_tensor(const val& value);
/// Field `name` of an object as a tensor. `required` throws ValueError naming `function` when it is absent.
Tensor required(const char* function, const val& object, const char* name);
std::optional<Tensor> optional(const val& object, const char* name);
std::optional<double> optional_number(const val& object, const char* name);
std::string text_or(const val& object, const char* name, const char* otherwise);
bool flag(const val& object, const char* name);

std::vector<std::int64_t> to_integers(const val& array);
std::vector<std::int32_t> to_ids(const val& array);
/// Bytes of a Uint8Array as text; UTF-8 is made on the other side.
std::string to_text(const val& bytes);

/// {data: Float32Array, shape: number[]}, a copy.
val from_tensor(const Tensor& tensor);
val from_shape(const Shape& shape);
val from_floats(std::span<const float> values);
val from_ids(std::span<const std::int32_t> ids);

/// The mask fields `keep`, `ignore`, `bias`, at most one of them.
attention::Mask to_mask(const val& object);
attention::Causal to_causal(const val& object);

/// {error: {code, message}} for what is being thrown; call it inside a catch block.
val current_error();

/// Calls `function` and gives its result, or current_error().
template <typename Function>
val guarded(Function function) {
  try {
    return function();
  } catch (...) {
    return current_error();
  }
}

/// `guard<f>` is f with its errors as values, so that no C++ exception reaches JavaScript.
template <auto function>
struct Guard;

template <typename... Args, val (*function)(Args...)>
struct Guard<function> {
  static val call(Args... args) {
    return guarded([&] { return function(static_cast<Args>(args)...); });
  }
};

template <auto function>
inline constexpr auto guard = &Guard<function>::call;

}  // namespace lookback::bindings
