// SPDX-License-Identifier: MIT
// The recipes of `lookback train`, by their words after the name; errors as those of commands.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

namespace lookback::tools {

void train_decoder(std::span<const std::string_view> words, std::ostream& output);
void train_tokenizer(std::span<const std::string_view> words, std::ostream& output);

}  // namespace lookback::tools
