// SPDX-License-Identifier: MIT
// `lookback inspect`: what a model file holds.
#include <ostream>

#include "lookback/tools/arguments.hpp"
#include "lookback/tools/commands.hpp"
#include "lookback/tools/files.hpp"

namespace lookback::tools {

void inspect(std::span<const std::string_view> words, std::ostream& output) {
  const Arguments arguments(words, {});
  if (arguments.words().size() != 1) throw UsageError("inspect takes one file");
  const io::ModelFile file = read_model(arguments.words()[0]);

  output << "format: " << io::name_of(file.format()) << ", version " << file.version() << "\n";
  if (const auto architecture = file.text("general.architecture")) output << "architecture: " << *architecture << "\n";
  output << "bytes: " << file.byte_length() << "\nparameters: " << file.num_parameters() << "\n";
  output << "metadata: " << file.metadata().size() << "\n";
  for (const auto& entry : file.metadata()) output << "  " << entry.key << " = " << io::to_string(entry.value) << "\n";
  output << "tensors: " << file.tensors().size() << "\n";
  for (const auto& tensor : file.tensors()) {
    output << "  " << tensor.name << " " << kernels::name_of(tensor.weight.type) << " " << tensor.shape.to_string()
           << ", " << tensor.byte_length << " bytes at " << tensor.offset << "\n";
  }
}

}  // namespace lookback::tools
