// SPDX-License-Identifier: MIT
// `lookback train decoder`: a run of a few steps, stopped and taken up again.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <sstream>

#include "lookback/tools/arguments.hpp"
#include "lookback/tools/commands.hpp"
#include "lookback/tools/files.hpp"
#include "lookback/tools/parallel.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::test::error_of;
using lookback::test::fixture_path;
using lookback::test::read_bytes;
using lookback::test::to_bytes;
using namespace lookback::tools;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

std::string output_of(const Words& words) {
  std::ostringstream stream;
  const std::vector<std::string_view> views(words.begin(), words.end());
  train(views, stream);
  return stream.str();
}

/// A folder of its own with a little text, emptied.
fs::path folder_with_text(const std::string& name) {
  const fs::path folder = fs::path(LOOKBACK_SCRATCH) / ("train_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "the cat sat on the cat\n<|endoftext|>\nthe " + std::to_string(i) + "\n<|endoftext|>\n";
  write_file(folder / "a_train.txt", to_bytes(text));
  write_file(folder / "a_val.txt", to_bytes("the cat sat\n<|endoftext|>\non the cat"));
  return folder;
}

Words words_for(const fs::path& folder, const std::string& out, const Words& more) {
  Words words = {"decoder",
                 "--data",
                 folder.string(),
                 "--out",
                 (folder / out).string(),
                 "--tokenizer",
                 fixture_path("fixture-f32.gguf"),
                 "--context",
                 "16",
                 "--width",
                 "32",
                 "--layers",
                 "1",
                 "--heads",
                 "2",
                 "--feed-forward",
                 "32",
                 "--batch",
                 "4",
                 "--micro-batch",
                 "2",
                 "--warmup",
                 "2",
                 "--threads",
                 "2"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("train: a run in two parts is the run in one, and its file generates", "[tools]") {
  const fs::path folder = folder_with_text("resumed");
  const std::string log =
      output_of(words_for(folder, "one", {"--steps", "8", "--evaluate-every", "4", "--report-every", "4"}));
  CHECK_THAT(log, ContainsSubstring("step 4  loss ") && ContainsSubstring("bits per byte, the best"));
  CHECK_THAT(log, ContainsSubstring("vocabulary 287") && ContainsSubstring("2 documents held out"));
  // Time is up at once: no step, but a checkpoint.
  output_of(words_for(folder, "two", {"--steps", "8", "--minutes", "0"}));
  output_of(words_for(folder, "two", {"--steps", "8", "--resume", "--evaluate-every", "4"}));
  CHECK(read_bytes((folder / "one").string()) == read_bytes((folder / "two").string()));
  CHECK(read_bytes((folder / "one.checkpoint").string()) == read_bytes((folder / "two.checkpoint").string()));
  CHECK(!fs::exists(folder / "one.part"));

  std::ostringstream text;
  const std::string model = (folder / "one").string();
  const std::vector<std::string_view> words = {"--model", model, "--prompt", "the", "--max-tokens", "4"};
  generate(words, text);
  CHECK_THAT(text.str(), ContainsSubstring("the"));
  std::ostringstream facts;
  const std::vector<std::string_view> inspected = {model};
  inspect(inspected, facts);
  CHECK_THAT(facts.str(), ContainsSubstring("token_embd.weight q8_0 [287, 32]"));
}

TEST_CASE("train: other text takes up another run's weights", "[tools]") {
  const fs::path folder = folder_with_text("begun");
  output_of(words_for(folder, "first", {"--steps", "4"}));
  write_file(folder / "b_train.txt", to_bytes("on the cat, the cat\n"));
  CHECK_THAT(error_of([&] {
               return output_of(words_for(folder, "first", {"--steps", "8", "--resume"}));
             }),
             ContainsSubstring("format: ") && ContainsSubstring("tokens of text"));
  output_of(words_for(folder, "second",
                      {"--steps", "1", "--rate", "1e-9", "--begin-with", (folder / "first.checkpoint").string()}));
  // One step at such a rate changes less than a quantised weight shows.
  CHECK(read_bytes((folder / "second").string()) == read_bytes((folder / "first").string()));
  CHECK_THAT(error_of([&] {
               return output_of(words_for(folder, "third", {"--begin-with", (folder / "a_val.txt").string()}));
             }),
             ContainsSubstring("format: ") && ContainsSubstring("a_val.txt"));
}

TEST_CASE("train: what is missing or in the way is named", "[tools]") {
  const fs::path folder = folder_with_text("errors");
  const auto error = [&](const fs::path& data, const Words& more) {
    return error_of([&] { return output_of(words_for(data, "out", more)); });
  };
  CHECK_THROWS_AS(output_of({"--data", "x"}), UsageError);
  CHECK_THROWS_AS(output_of({"encoder"}), UsageError);
  CHECK_THROWS_AS(output_of({"decoder", "--out", "x"}), UsageError);
  CHECK_THROWS_AS(output_of(words_for(folder, "out", {"--report-every", "0"})), UsageError);
  CHECK_THAT(error(folder / "absent", {}), ContainsSubstring("value: --data ") && ContainsSubstring("no such folder"));
  CHECK_THAT(error(folder, {"--resume"}), ContainsSubstring("out.checkpoint: no such file"));
  CHECK_THAT(error(folder, {"--dropout", "1"}), ContainsSubstring("dropout must be in [0, 1)"));
  output_of(words_for(folder, "out", {"--steps", "1"}));
  CHECK_THAT(error(folder, {"--steps", "1"}), ContainsSubstring("exists: go on with --resume"));
  fs::remove(folder / "a_val.txt");
  CHECK_THAT(error(folder, {"--resume"}), ContainsSubstring("*val*.txt to hold out, has 1 *.txt"));
}

TEST_CASE("train: a tokenizer learned from text is one that a decoder is trained with", "[tools]") {
  const fs::path folder = folder_with_text("tokenizer");
  const std::string out = (folder / "words.gguf").string();
  const Words words = {"tokenizer", "--data", folder.string(), "--out", out, "--vocabulary", "262"};
  // "the" 120 times, " cat" 80 and " sat" 40 times. "at" and "he" come 120 times, of which the smaller number goes
  // first, then "the", "cat" and " cat", after the special token and the 256 bytes.
  CHECK_THAT(output_of(words), ContainsSubstring("262 tokens, 5 merges, ") && ContainsSubstring("bytes a token"));
  std::ostringstream ids;
  const std::vector<std::string_view> tokenized = {"--model", out, "the cat"};
  tokenize(tokenized, ids);
  CHECK(ids.str() == "[0,259,261]\n");
  Words decoder = words_for(folder, "story", {"--steps", "2"});
  *std::find(decoder.begin(), decoder.end(), fixture_path("fixture-f32.gguf")) = out;
  CHECK_THAT(output_of(decoder), ContainsSubstring("vocabulary 262"));
  std::ostringstream text;
  const std::string model = (folder / "story").string();
  const std::vector<std::string_view> prompt = {"--model", model, "--prompt", "the cat", "--max-tokens", "4"};
  generate(prompt, text);
  CHECK_THAT(text.str(), ContainsSubstring("the cat"));

  CHECK_THROWS_AS(output_of({"tokenizer", "--data", folder.string(), "--out", out, "--vocabulary", "256"}), UsageError);
  CHECK_THROWS_AS(output_of({"tokenizer", "more", "--data", folder.string(), "--out", out}), UsageError);
  CHECK_THAT(error_of([&] {
               return output_of({"tokenizer", "--data", (folder / "absent").string(), "--out", out});
             }),
             ContainsSubstring("no such folder"));
}

TEST_CASE("parallel: every part runs once, and an error comes out", "[tools]") {
  std::vector<int> runs(100, 0);
  in_parallel(3, 100, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
  CHECK(runs == std::vector<int>(100, 1));
  in_parallel(3, 0, [&](std::int64_t) { FAIL("no part"); });
  CHECK_THAT(error_of([] {
               return in_parallel(2, 5,
                                  [](std::int64_t i) {
                                    if (i == 3) throw lookback::ValueError("part 3");
                                  }),
                      0;
             }),
             ContainsSubstring("part 3"));
}
