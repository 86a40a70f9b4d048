// SPDX-License-Identifier: MIT
// Text to train on, from a folder.
#include "lookback/tools/training_texts.hpp"

#include <algorithm>
#include <vector>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/tools/files.hpp"

namespace lookback::tools {

namespace fs = std::filesystem;

Texts read_texts(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw ValueError(message("--data ", folder.string(), ": no such folder"));
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  Texts texts;
  for (const fs::path& path : paths) {
    const auto bytes = read_file(path);
    std::string& text = path.filename().string().find("val") == std::string::npos ? texts.training : texts.held_out;
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text += "\n<|endoftext|>\n";
  }
  if (texts.training.empty() || texts.held_out.empty()) {
    throw ValueError(message("--data ", folder.string(), ": needs *.txt to train on and *val*.txt to hold out, has ",
                             paths.size(), " *.txt"));
  }
  return texts;
}

}  // namespace lookback::tools
