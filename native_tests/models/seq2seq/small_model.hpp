// SPDX-License-Identifier: MIT
// Small encoder-decoders for tests, of every kind, and their parameters by name.
#pragma once

#include <string>
#include <vector>

#include "lookback/core/random.hpp"
#include "lookback/models/seq2seq/model.hpp"
#include "support/tensors.hpp"

namespace lookback::test {

using models::seq2seq::Config;
using models::seq2seq::Ids;
using models::seq2seq::Model;

inline Config small_config() {
  return {.source_vocabulary = 7, .target_vocabulary = 6, .embedding = 5, .hidden = 6, .attention_hidden = 4};
}

/// Every cell, direction and attention, and a source read from its end.
inline std::vector<Config> all_kinds() {
  using namespace models::seq2seq;
  std::vector<Config> kinds;
  for (Cell cell : {Cell::gru, Cell::lstm}) {
    for (Attention attention : {Attention::additive, Attention::none}) {
      for (bool is_bidirectional : {true, false}) {
        Config config = small_config();
        config.cell = cell;
        config.attention = attention;
        config.is_bidirectional = is_bidirectional;
        config.reverses_source = !is_bidirectional;
        kinds.push_back(config);
      }
    }
  }
  kinds.front().reset = kernels::GruReset::before;
  return kinds;
}

inline std::string describe(const Config& config) {
  using namespace models::seq2seq;
  return std::string(config.cell == Cell::lstm ? "lstm" : "gru") + (config.is_bidirectional ? ", bidirectional" : "") +
         (config.attention == Attention::none ? ", no attention" : "") +
         (config.reverses_source ? ", source reversed" : "");
}

inline Model small_model(const Config& config, std::uint64_t seed = 1) {
  Random random(seed);
  return Model(config, random);
}

/// Assigns numbers(name, shape) to every parameter.
template <typename Numbers>
void assign(Model& model, Numbers numbers) {
  for (const nn::Parameter& parameter : model.parameters()) {
    *parameter.tensor = numbers(parameter.name, parameter.tensor->shape());
  }
}

/// All numbers times `factor`: outputs further apart from each other than first weights give.
inline void sharpen(Model& model, float factor) {
  for (const nn::Parameter& parameter : model.parameters()) {
    TensorBuilder builder(*parameter.tensor);
    for (std::int64_t i = 0; i < parameter.tensor->size(); ++i) builder.data()[i] *= factor;
    *parameter.tensor = std::move(builder).build();
  }
}

}  // namespace lookback::test
