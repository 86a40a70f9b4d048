// SPDX-License-Identifier: MIT
// The commands of the native program `lookback`.
#pragma once

#include <iosfwd>
#include <span>
#include <string_view>

namespace lookback::tools {

struct Command {
  std::string_view name;
  std::string_view usage;  ///< what follows the name
  /// Writes the result to `output`. Throws UsageError, or lookback::Error for everything that the files and numbers get
  /// wrong.
  void (*run)(std::span<const std::string_view> words, std::ostream& output);
};

void inspect(std::span<const std::string_view> words, std::ostream& output);
void generate(std::span<const std::string_view> words, std::ostream& output);
void tokenize(std::span<const std::string_view> words, std::ostream& output);
void train(std::span<const std::string_view> words, std::ostream& output);

inline constexpr Command kCommands[] = {
    {"inspect", "FILE", inspect},
    {"generate",
     "--model FILE [--tokenizer FILE] (--prompt TEXT | --tokens 1,5,7) [--max-tokens 64] [--temperature 1] [--top-k 0] "
     "[--top-p 1]\n"
     "                    [--seed 0] [--logits]",
     generate},
    {"tokenize", "--model FILE [--tokenizer FILE] [--no-start] TEXT", tokenize},
    {"train",
     "decoder --data FOLDER --out FILE --tokenizer FILE [--resume] [--begin-with CHECKPOINT] [--steps 10000]\n"
     "                 [--minutes M] [--threads N] [--seed 1]\n"
     "                 [--context 256] [--width 128] [--layers 6] [--heads 8] [--kv-heads 8] [--feed-forward 352]\n"
     "                 [--batch 16] [--micro-batch 8] [--rate 0.002] [--warmup 200] [--dropout 0.1] "
     "[--weight-decay 0.1]\n"
     "                 [--report-every 50] [--evaluate-every 500] [--f32]\n"
     "                 [--name TEXT] [--license TEXT] [--description TEXT]\n"
     "  lookback train tokenizer --data FOLDER --out FILE [--vocabulary 2048] [--min-frequency 2] [--name TEXT]",
     train},
};

}  // namespace lookback::tools
