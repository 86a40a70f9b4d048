// SPDX-License-Identifier: MIT
// Conversions between JavaScript values and the core's types.
#include "lookback/bindings/convert.hpp"

#include <emscripten/bind.h>

#include <new>
#include <stdexcept>

#include "lookback/bindings/resident.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"

namespace lookback::bindings {

namespace {

bool is_present(const val& value) { return !value.isUndefined() && !value.isNull(); }

/// A copy that stays valid when the memory grows.
template <typename Number>
val copied(const Number* data, std::size_t size) {
  return val(emscripten::typed_memory_view(size, data)).call<val>("slice");
}

val error_object(const char* code, const std::string& text) {
  val details = val::object();
  details.set("code", code);
  details.set("message", text);
  val result = val::object();
  result.set("error", details);
  return result;
}

}  // namespace

Tensor to_tensor(const val& value) {
  if (value.isNumber()) return kept(value.as<int>());
  return Tensor(Shape(to_integers(value["shape"])), emscripten::convertJSArrayToNumberVector<float>(value["data"]));
}

Tensor required(const char* function, const val& object, const char* name) {
  const val value = object[name];
  if (!is_present(value)) throw ValueError(message(function, ": `", name, "` is missing"));
  return to_tensor(value);
}

std::optional<Tensor> optional(const val& object, const char* name) {
  const val value = object[name];
  return is_present(value) ? std::optional(to_tensor(value)) : std::nullopt;
}

std::optional<double> optional_number(const val& object, const char* name) {
  const val value = object[name];
  return is_present(value) ? std::optional(value.as<double>()) : std::nullopt;
}

std::string text_or(const val& object, const char* name, const char* otherwise) {
  const val value = object[name];
  return is_present(value) ? value.as<std::string>() : otherwise;
}

bool flag(const val& object, const char* name) {
  const val value = object[name];
  return is_present(value) && value.as<bool>();
}

std::vector<std::int64_t> to_integers(const val& array) {
  const std::vector<double> numbers = emscripten::convertJSArrayToNumberVector<double>(array);
  return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

std::vector<std::int32_t> to_ids(const val& array) {
  return emscripten::convertJSArrayToNumberVector<std::int32_t>(array);
}

std::string to_text(const val& bytes) {
  const std::vector<std::uint8_t> raw = emscripten::convertJSArrayToNumberVector<std::uint8_t>(bytes);
  return std::string(raw.begin(), raw.end());
}

val from_shape(const Shape& shape) {
  val result = val::array();
  for (std::int64_t dim : shape.dims()) result.call<void>("push", static_cast<double>(dim));
  return result;
}

val from_tensor(const Tensor& tensor) {
  val result = val::object();
  result.set("data", copied(tensor.data(), static_cast<std::size_t>(tensor.size())));
  result.set("shape", from_shape(tensor.shape()));
  return result;
}

val from_floats(std::span<const float> values) { return copied(values.data(), values.size()); }

val from_ids(std::span<const std::int32_t> ids) { return copied(ids.data(), ids.size()); }

attention::Mask to_mask(const val& object) {
  const std::optional<Tensor> keep = optional(object, "keep");
  const std::optional<Tensor> ignore = optional(object, "ignore");
  const std::optional<Tensor> bias = optional(object, "bias");
  if (keep.has_value() + ignore.has_value() + bias.has_value() > 1) {
    throw ValueError("mask: only one of `keep`, `ignore` and `bias` can be given");
  }
  if (keep) return attention::Mask::keep(*keep);
  if (ignore) return attention::Mask::ignore(*ignore);
  return bias ? attention::Mask::bias(*bias) : attention::Mask();
}

attention::Causal to_causal(const val& object) {
  const std::string name = text_or(object, "causal", "none");
  if (name == "none") return attention::Causal::none;
  if (name == "bottom-right") return attention::Causal::bottom_right;
  if (name == "top-left") return attention::Causal::top_left;
  throw ValueError(message("mask: `causal` must be true, false, 'bottom-right' or 'top-left', got '", name, "'"));
}

val current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error_object(name_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return error_object(name_of(ErrorCode::memory), "memory: not enough of it is left");
  } catch (const std::length_error&) {
    return error_object(name_of(ErrorCode::memory), "memory: more than this build can address was asked for");
  } catch (const std::exception& error) {
    return error_object(name_of(ErrorCode::state), error.what());
  }
}

}  // namespace lookback::bindings
