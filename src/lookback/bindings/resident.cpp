// SPDX-License-Identifier: MIT
// The table of resident tensors and the exports that work on it.
#include "lookback/bindings/resident.hpp"

#include <emscripten/em_macros.h>

#include <optional>
#include <utility>
#include <vector>

#include "lookback/bindings/convert.hpp"
#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tensor/matmul.hpp"

namespace lookback::bindings {

namespace {

struct Table {
  std::vector<std::optional<Tensor>> tensors;
  std::vector<int> free;  ///< numbers to be given out again
  val error = val::undefined();
};

Table& table() {
  static Table instance;
  return instance;
}

/// function(), or -1 with its error put aside.
template <typename Function>
auto number_or_error(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (...) {
    table().error = current_error();
    return -1;
  }
}

}  // namespace

int keep(Tensor tensor) {
  Table& t = table();
  if (t.free.empty()) {
    t.tensors.emplace_back(std::move(tensor));
    return static_cast<int>(t.tensors.size()) - 1;
  }
  const int number = t.free.back();
  t.free.pop_back();
  t.tensors[static_cast<std::size_t>(number)] = std::move(tensor);
  return number;
}

const Tensor& kept(int number) {
  const Table& t = table();
  const auto index = static_cast<std::size_t>(number);
  if (number < 0 || index >= t.tensors.size() || !t.tensors[index]) {
    throw Error(ErrorCode::state, message("tensor: no resident tensor has the number ", number));
  }
  return *t.tensors[index];
}

val last_error() { return std::exchange(table().error, val::undefined()); }

}  // namespace lookback::bindings

using lookback::bindings::kept;

extern "C" {

EMSCRIPTEN_KEEPALIVE int lookback_matmul(int a, int b, int transpose_a, int transpose_b) {
  return lookback::bindings::number_or_error([&] {
    return lookback::bindings::keep(
        lookback::matmul(kept(a), kept(b), {.transpose_a = transpose_a != 0, .transpose_b = transpose_b != 0}));
  });
}

EMSCRIPTEN_KEEPALIVE void lookback_release(int number) {
  auto& t = lookback::bindings::table();
  const auto index = static_cast<std::size_t>(number);
  if (number < 0 || index >= t.tensors.size() || !t.tensors[index]) return;
  t.tensors[index].reset();
  t.free.push_back(number);
}

EMSCRIPTEN_KEEPALIVE int lookback_rank(int number) {
  return lookback::bindings::number_or_error([&] { return kept(number).rank(); });
}

EMSCRIPTEN_KEEPALIVE double lookback_extent(int number, int axis) {
  return lookback::bindings::number_or_error([&] { return static_cast<double>(kept(number).dim(axis)); });
}

}  // extern "C"
