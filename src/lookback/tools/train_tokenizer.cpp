// SPDX-License-Identifier: MIT
// `lookback train tokenizer`: a byte-level vocabulary from a folder of text.
#include <iomanip>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "lookback/core/check.hpp"
#include "lookback/io/bpe_tokenizer.hpp"
#include "lookback/io/tokenizer_files.hpp"
#include "lookback/tools/arguments.hpp"
#include "lookback/tools/files.hpp"
#include "lookback/tools/train.hpp"
#include "lookback/tools/training_texts.hpp"
#include "lookback/training/bpe_trainer.hpp"
#include "lookback/training/language_text.hpp"

namespace lookback::tools {

namespace {

constexpr OptionRule kRules[] = {{"--data"}, {"--out"}, {"--vocabulary"}, {"--min-frequency"}, {"--name"}};

training::BpeOptions read_options(const Arguments& arguments) {
  training::BpeOptions options;
  const std::int64_t size = arguments.integer("--vocabulary", 2048);
  if (size < 257 || size > std::numeric_limits<io::TokenId>::max()) {
    throw UsageError(message("--vocabulary should be 257 or more (the bytes and <|endoftext|>), not ", size));
  }
  options.vocabulary_size = static_cast<io::TokenId>(size);
  options.min_frequency = arguments.integer("--min-frequency", options.min_frequency);
  return options;
}

double bytes_a_token(const io::Tokenizer& tokenizer, const std::vector<std::string_view>& documents) {
  double bytes = 0.0, tokens = 0.0;
  for (const std::string_view document : documents) {
    const training::Document counted = training::tokenised(tokenizer, document);
    bytes += static_cast<double>(counted.num_bytes);
    tokens += static_cast<double>(counted.ids.size());
  }
  return bytes / tokens;
}

}  // namespace

void train_tokenizer(std::span<const std::string_view> words, std::ostream& output) {
  const Arguments arguments(words, kRules);
  if (!arguments.words().empty()) throw UsageError(message("train tokenizer: what is ", arguments.words()[0], "?"));
  const std::string path = arguments.required("--out");
  const Texts texts = read_texts(arguments.required("--data"));
  const std::vector<std::string_view> documents = training::split_documents(texts.training);
  const io::BpeTokenizer tokenizer(training::train_bpe(documents, read_options(arguments)));
  io::GgufWriter file;
  file.set_string("general.architecture", "llama");
  file.set_string("general.name", arguments.text("--name", "lookback tokenizer"));
  io::set_tokenizer(file, tokenizer.vocabulary());
  write_file(path, file.finish());
  output << tokenizer.size() << " tokens, " << tokenizer.vocabulary().merges.size() << " merges, " << std::fixed
         << std::setprecision(3) << bytes_a_token(tokenizer, training::split_documents(texts.held_out))
         << " bytes a token of the text held out\n";
}

}  // namespace lookback::tools
