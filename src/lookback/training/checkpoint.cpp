// SPDX-License-Identifier: MIT
// Checkpoints as GGUF: keys "run.NAME" for numbers and texts, tensors under their own names.
#include "lookback/training/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/io/model_file.hpp"

namespace lookback::training {

namespace {

constexpr const char* kArchitecture = "general.architecture";
constexpr std::string_view kPrefix = "run.";

template <typename Value>
const Value& found(const std::map<std::string, Value>& values, const std::string& name) {
  const auto place = values.find(name);
  if (place == values.end()) throw FormatError(message("checkpoint: '", name, "' is missing"));
  return place->second;
}

Tensor to_tensor(const io::TensorEntry& entry) {
  if (entry.weight.type != kernels::WeightType::f32) {
    throw FormatError(message("checkpoint: tensor '", entry.name, "' is not F32"));
  }
  TensorBuilder result(entry.shape);
  std::memcpy(result.data(), entry.weight.bytes, static_cast<std::size_t>(entry.shape.num_elements()) * sizeof(float));
  return std::move(result).build();
}

/// The tensor of that name, if it may stand for one of `shape`.
const Tensor& fitting(const Checkpoint& from, const std::string& name, const Shape& shape) {
  const Tensor& x = from.tensor(name);
  if (x.shape() != shape) {
    throw FormatError(message("checkpoint: tensor '", name, "' has shape ", x.shape(), ", the model's has ", shape));
  }
  if (!std::all_of(x.values().begin(), x.values().end(), [](float value) { return std::isfinite(value); })) {
    throw FormatError(message("checkpoint: tensor '", name, "' holds NaN or infinity"));
  }
  return x;
}

std::string moment_name(const std::string& parameter, std::size_t moment) {
  return message("moment", moment, ".", parameter);
}

}  // namespace

std::vector<std::byte> Checkpoint::bytes() const {
  io::GgufWriter writer;
  writer.set_string(kArchitecture, kind);
  for (const auto& [name, value] : numbers) writer.set_u64(std::string(kPrefix) + name, value);
  for (const auto& [name, value] : texts) writer.set_string(std::string(kPrefix) + name, value);
  for (const auto& [name, tensor] : tensors) {
    writer.add_tensor(name, tensor.shape(), tensor.values(), kernels::WeightType::f32);
  }
  return writer.finish();
}

Checkpoint Checkpoint::read(std::vector<std::byte> bytes, const std::string& kind) {
  const io::ModelFile file(std::move(bytes));
  const auto architecture = file.text(kArchitecture);
  if (!architecture || *architecture != kind) {
    throw FormatError(message("checkpoint: holds '", architecture.value_or("nothing named"), "', not '", kind, "'"));
  }
  Checkpoint result{.kind = kind};
  for (const io::MetadataEntry& entry : file.metadata()) {
    if (!entry.key.starts_with(kPrefix)) continue;
    const std::string name = entry.key.substr(kPrefix.size());
    if (const auto* small = std::get_if<std::int64_t>(&entry.value))
      result.numbers[name] = static_cast<std::uint64_t>(*small);
    else if (const auto* large = std::get_if<std::uint64_t>(&entry.value))
      result.numbers[name] = *large;
    else if (const auto* text = std::get_if<std::string_view>(&entry.value))
      result.texts[name] = *text;
  }
  for (const io::TensorEntry& entry : file.tensors()) result.tensors.emplace(entry.name, to_tensor(entry));
  return result;
}

std::uint64_t Checkpoint::number(const std::string& name) const { return found(numbers, name); }
const std::string& Checkpoint::text(const std::string& name) const { return found(texts, name); }
const Tensor& Checkpoint::tensor(const std::string& name) const { return found(tensors, name); }

void put_parameters(Checkpoint& into, const nn::Parameters& parameters) {
  for (const nn::Parameter& parameter : parameters) into.tensors.insert_or_assign(parameter.name, *parameter.tensor);
}

void put_optimiser(Checkpoint& into, const nn::Parameters& parameters, const Optimiser& optimiser) {
  const Optimiser::State& state = optimiser.state();
  into.numbers["optimiser.steps"] = static_cast<std::uint64_t>(state.steps);
  const std::size_t each = parameters.empty() ? 0 : state.moments.size() / parameters.size();
  into.numbers["optimiser.moments"] = each;
  for (std::size_t i = 0; i < state.moments.size(); ++i) {
    into.tensors.insert_or_assign(moment_name(parameters[i / each].name, i % each), state.moments[i]);
  }
}

void take_parameters(const Checkpoint& from, const nn::Parameters& parameters) {
  for (const nn::Parameter& parameter : parameters) fitting(from, parameter.name, parameter.tensor->shape());
  for (const nn::Parameter& parameter : parameters) *parameter.tensor = from.tensor(parameter.name);
}

Optimiser::State take_optimiser(const Checkpoint& from, const nn::Parameters& parameters) {
  constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 53;
  const std::uint64_t steps = from.number("optimiser.steps"), each = from.number("optimiser.moments");
  if (steps > kMostSteps || each > 2) {
    throw FormatError(message("checkpoint: ", steps, " steps and ", each, " moments for a parameter make no sense"));
  }
  Optimiser::State state{.steps = static_cast<std::int64_t>(steps)};
  for (const nn::Parameter& parameter : parameters) {
    for (std::size_t m = 0; m < each; ++m) {
      state.moments.push_back(fitting(from, moment_name(parameter.name, m), parameter.tensor->shape()));
    }
  }
  return state;
}

}  // namespace lookback::training
