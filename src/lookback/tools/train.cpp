// SPDX-License-Identifier: MIT
// `lookback train`: what there is to train.
#include "lookback/tools/train.hpp"

#include "lookback/core/check.hpp"
#include "lookback/tools/arguments.hpp"
#include "lookback/tools/commands.hpp"

namespace lookback::tools {

void train(std::span<const std::string_view> words, std::ostream& output) {
  const std::string_view recipe = words.empty() ? "" : words[0];
  if (recipe == "decoder") return train_decoder(words.subspan(1), output);
  if (recipe == "tokenizer") return train_tokenizer(words.subspan(1), output);
  throw UsageError(message("train: knows the recipes decoder and tokenizer, not '", recipe, "'"));
}

}  // namespace lookback::tools
