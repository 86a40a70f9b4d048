// SPDX-License-Identifier: MIT
// Text to train on, from a folder.
#pragma once

#include <filesystem>
#include <string>

namespace lookback::tools {

/// Of the folder's *.txt, those with "val" in their names are held out.
struct Texts {
  std::string training{};
  std::string held_out{};
};

/// Files by name, each ended by a line <|endoftext|>. Throws ValueError when there is no such folder, or nothing in it
/// to train on or to hold out.
Texts read_texts(const std::filesystem::path& folder);

}  // namespace lookback::tools
