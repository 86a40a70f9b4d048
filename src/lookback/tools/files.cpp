// SPDX-License-Identifier: MIT
// Reading files, and the search for a tokenizer.
#include "lookback/tools/files.hpp"

#include <fstream>

#include "lookback/core/check.hpp"
#include "lookback/core/error.hpp"
#include "lookback/io/gguf.hpp"
#include "lookback/io/tokenizer_files.hpp"

namespace lookback::tools {

namespace fs = std::filesystem;

namespace {

std::unique_ptr<io::Tokenizer> read_tokenizer_at(const fs::path& path) {
  const auto bytes = read_file(path);
  return naming(path, [&] { return io::read_tokenizer_file(bytes); });
}

std::vector<fs::path> tokenizers_beside(const fs::path& model) {
  std::vector<fs::path> found;
  const fs::path folder = model.has_parent_path() ? model.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == "tokenizer.bin") return {entry.path()};
    if (name.starts_with("tok") && name.ends_with(".bin") && !fs::equivalent(entry.path(), model))
      found.push_back(entry.path());
  }
  return found;
}

}  // namespace

std::vector<std::byte> read_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw ValueError(message(path.string(), ": no such file"));
  std::vector<std::byte> bytes(static_cast<std::size_t>(fs::file_size(path)));
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream || stream.gcount() != static_cast<std::streamsize>(bytes.size()))
    throw ValueError(message(path.string(), ": can't be read"));
  return bytes;
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) throw ValueError(message(path.string(), ": can't be written"));
}

io::ModelFile read_model(const fs::path& path) {
  auto bytes = read_file(path);
  return naming(path, [&] { return io::ModelFile(std::move(bytes)); });
}

std::unique_ptr<io::Tokenizer> find_tokenizer(const io::ModelFile& file, const fs::path& model, const fs::path& named) {
  if (!named.empty()) return read_tokenizer_at(named);
  if (auto own = naming(model, [&] { return io::read_tokenizer(file); })) return own;
  const std::vector<fs::path> beside = tokenizers_beside(model);
  if (beside.size() == 1) return read_tokenizer_at(beside[0]);
  throw ValueError(message(model.string(), ": holds no tokenizer, and ", beside.empty() ? "no" : "more than one",
                           " tok*.bin lies beside it; name one with --tokenizer"));
}

std::unique_ptr<io::Tokenizer> read_any_tokenizer(const fs::path& path) {
  auto bytes = read_file(path);
  if (!io::is_gguf(bytes)) return naming(path, [&] { return io::read_tokenizer_file(bytes); });
  const io::ModelFile file = naming(path, [&] { return io::ModelFile(std::move(bytes)); });
  auto tokenizer = naming(path, [&] { return io::read_tokenizer(file); });
  if (!tokenizer) throw ValueError(message(path.string(), ": holds no tokenizer"));
  return tokenizer;
}

}  // namespace lookback::tools
