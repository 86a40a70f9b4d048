// SPDX-License-Identifier: MIT
// Files that tests read: fixtures of this repository, and data shared beside it that may be absent.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lookback::test {

inline std::vector<std::byte> read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) throw std::runtime_error("no file " + path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

inline std::string fixture_path(const std::string& name) {
  return LOOKBACK_REPOSITORY "/native_tests/fixtures/" + name;
}

inline std::vector<std::byte> fixture(const std::string& name) { return read_bytes(fixture_path(name)); }

/// Path of a file of the shared data; skips the test, saying why, where it is absent.
inline std::string shared_path(const std::string& name) {
  std::string path = LOOKBACK_REPOSITORY "/../shared/data/" + name;
  if (!std::filesystem::exists(path)) SKIP("shared data is absent: " + path);
  return path;
}

inline std::vector<std::byte> to_bytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace lookback::test
