// SPDX-License-Identifier: MIT
// `lookback tokenize`: the ids of a text.
#include <ostream>

#include "lookback/tools/arguments.hpp"
#include "lookback/tools/commands.hpp"
#include "lookback/tools/files.hpp"
#include "lookback/tools/json_output.hpp"

namespace lookback::tools {

void tokenize(std::span<const std::string_view> words, std::ostream& output) {
  constexpr OptionRule rules[] = {{"--model"}, {"--tokenizer"}, {"--no-start", false}};
  const Arguments arguments(words, rules);
  if (arguments.words().size() != 1) throw UsageError("tokenize takes one text");
  const std::string path = arguments.required("--model");
  const io::ModelFile file = read_model(path);
  const auto tokenizer = find_tokenizer(file, path, arguments.text("--tokenizer"));
  io::EncodeOptions options;
  options.add_start = !arguments.has("--no-start");
  const auto ids = tokenizer->encode(arguments.words()[0], options);
  write_json<io::TokenId>(output, ids);
}

}  // namespace lookback::tools
