// SPDX-License-Identifier: MIT
// A run on disk: everything it needs to go on as if it had not stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lookback/nn/parameters.hpp"
#include "lookback/training/optimiser.hpp"

namespace lookback::training {

/// Named numbers, texts and tensors; a GGUF file whose architecture is `kind`. Numbers are exact, bit for bit.
struct Checkpoint {
  std::string kind;
  std::map<std::string, std::uint64_t> numbers{};
  std::map<std::string, std::string> texts{};
  std::map<std::string, Tensor> tensors{};

  std::vector<std::byte> bytes() const;
  /// Throws FormatError for damaged bytes and for a file of another kind, naming both; UnsupportedError as
  /// io::ModelFile does.
  static Checkpoint read(std::vector<std::byte> bytes, const std::string& kind);

  /// Throw FormatError naming what is missing.
  std::uint64_t number(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  const Tensor& tensor(const std::string& name) const;
};

/// A model's parameters, and its optimiser's moments and steps, under their names.
void put_parameters(Checkpoint& into, const nn::Parameters& parameters);
void put_optimiser(Checkpoint& into, const nn::Parameters& parameters, const Optimiser& optimiser);

/// The other way. Throw FormatError when a tensor is missing, has another shape (naming both) or holds NaN or infinity;
/// the model has not changed then.
void take_parameters(const Checkpoint& from, const nn::Parameters& parameters);
Optimiser::State take_optimiser(const Checkpoint& from, const nn::Parameters& parameters);

}  // namespace lookback::training
