// SPDX-License-Identifier: MIT
// A trained model as a file that decoders read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lookback/io/vocabulary.hpp"
#include "lookback/kernels/linear.hpp"
#include "lookback/models/language_model/model.hpp"

namespace lookback::models::language_model {

struct ExportOptions {
  std::string name{};                                        ///< general.name
  kernels::WeightType type = kernels::WeightType::f32;       ///< of matrices whose rows it can hold; the rest is f32
  std::vector<std::pair<std::string, std::string>> facts{};  ///< further keys and texts: licence, source, ..
};

/// The model as GGUF of architecture llama, with its tokenizer, which may be null. Matrices are transposed to [out,
/// in]. Throws ShapeError when the vocabulary is not the model's.
std::vector<std::byte> to_gguf(Model model, const io::Vocabulary* vocabulary, const ExportOptions& options = {});

}  // namespace lookback::models::language_model
