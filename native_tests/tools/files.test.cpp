// SPDX-License-Identifier: MIT
#include "lookback/tools/files.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::error_of;
using lookback::test::fixture_path;
using namespace lookback::tools;
namespace fs = std::filesystem;

namespace {

/// An empty folder of the test's own.
fs::path scratch(const std::string& name) {
  const fs::path folder = fs::path(LOOKBACK_SCRATCH) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

}  // namespace

TEST_CASE("files: what is written is read back; what can't be read is named", "[tools]") {
  const fs::path folder = scratch("files");
  const auto bytes = lookback::test::fixture("tokenizer.bin");
  write_file(folder / "copy", bytes);
  CHECK(read_file(folder / "copy") == bytes);
  CHECK_THAT(error_of([&] { return read_file(folder / "absent"); }), ContainsSubstring("absent: no such file"));
  CHECK_THAT(error_of([&] { return read_file(folder); }), ContainsSubstring("no such file"));
  CHECK_THAT(error_of([&] { return read_model(folder / "copy"); }), ContainsSubstring("copy: model file"));
}

TEST_CASE("files: the tokenizer beside a checkpoint is found", "[tools]") {
  const fs::path folder = scratch("tokenizers");
  const fs::path model = folder / "model.bin";
  fs::copy_file(fixture_path("fixture.bin"), model);
  const auto file = read_model(model);
  const auto find = [&](const fs::path& named = {}) { return find_tokenizer(file, model, named)->size(); };
  CHECK_THAT(error_of([&] { return find(); }), ContainsSubstring("no tok*.bin"));
  fs::copy_file(fixture_path("tokenizer.bin"), folder / "tok287.bin");
  CHECK(find() == 287);
  fs::copy_file(fixture_path("tokenizer.bin"), folder / "tok2.bin");
  CHECK_THAT(error_of([&] { return find(); }), ContainsSubstring("more than one"));
  fs::copy_file(fixture_path("tokenizer.bin"), folder / "tokenizer.bin");
  CHECK(find() == 287);
  CHECK(find(folder / "tok2.bin") == 287);
  CHECK_THAT(error_of([&] { return find(folder / "other.bin"); }), ContainsSubstring("other.bin"));
}
