// SPDX-License-Identifier: MIT
#include "lookback/io/bpe_tokenizer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <chrono>

#include "lookback/core/error.hpp"
#include "lookback/core/random.hpp"
#include "support/bpe_fixture.hpp"

using namespace lookback::io;
using lookback::FormatError;
using lookback::test::fixture_path;
using lookback::test::fixture_vocabulary;
using lookback::test::Json;
using lookback::test::vocabulary_of;
using Ids = std::vector<TokenId>;

namespace {

double seconds_to_encode(const Tokenizer& tokenizer, const std::string& text, std::size_t& num_ids) {
  const auto start = std::chrono::steady_clock::now();
  num_ids = tokenizer.encode(text).size();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Mostly short characters, now and then any code point.
std::string random_text(lookback::Random& random) {
  std::string text;
  for (std::uint32_t i = random.next_u32() % 40; i > 0; --i) {
    const std::uint32_t kind = random.next_u32() % 8;
    if (kind < 5) text += static_cast<char>(random.next_u32() % 128);
    if (kind == 5) text += "\u00E9";
    if (kind == 6) text += "\U0001F468\u200D";
    if (kind == 7) text += "\u65E5";
  }
  return text;
}

}  // namespace

TEST_CASE("bpe: the first merge of the list goes first, the leftmost on a tie", "[io][tokenizer]") {
  CHECK(BpeTokenizer(vocabulary_of({{"b", "c"}, {"a", "b"}})).encode("abc") == Ids{'a', 256});
  CHECK(BpeTokenizer(vocabulary_of({{"a", "b"}, {"b", "c"}})).encode("abc") == Ids{256, 'c'});
  CHECK(BpeTokenizer(vocabulary_of({{"a", "a"}})).encode("aaa") == Ids{256, 'a'});
  CHECK(BpeTokenizer(vocabulary_of({{"a", "a"}, {"aa", "aa"}, {"aa", "a"}})).encode("aaaaaaa") == Ids{257, 258});
}

TEST_CASE("bpe: a token without a merge that makes it is not found, unless merges are ignored", "[io][tokenizer]") {
  Vocabulary v = vocabulary_of({{"a", "b"}, {"ab", "c"}, {"b", "c"}});  // 256, 257, 258
  v.merges = {{'b', 'c'}, {'a', 'b'}};
  CHECK(BpeTokenizer(v).encode("abc") == Ids{'a', 258});
  v.ignore_merges = true;
  CHECK(BpeTokenizer(v).encode("abc") == Ids{257});
  CHECK(BpeTokenizer(v).encode("abc abcb") == Ids{257, ' ', 'a', 258, 'b'});
}

TEST_CASE("bpe: two merges may make the same token", "[io][tokenizer]") {
  const BpeTokenizer tokenizer(vocabulary_of({{"a", "b"}, {"ab", "c"}, {"b", "c"}, {"a", "bc"}}));
  CHECK(tokenizer.size() == 256 + 3);
  CHECK(tokenizer.encode("abc") == Ids{257});
}

TEST_CASE("bpe: merges stay within the parts", "[io][tokenizer]") {
  const BpeTokenizer tokenizer(vocabulary_of({{"o", " "}, {" ", "w"}, {"1", "2"}}));
  CHECK(tokenizer.encode("o w 12") == Ids{'o', 257, ' ', 258});
}

TEST_CASE("bpe: a byte without a token is the unknown one, or nothing", "[io][tokenizer]") {
  Vocabulary v;
  v.split = TextSplit::gpt2;
  v.pieces = {"a", "b", "<unk>"};
  v.scores = {0.0f, 0.0f, 0.0f};
  v.kinds = {TokenKind::normal, TokenKind::normal, TokenKind::unknown};
  CHECK(BpeTokenizer(v).encode("aXb") == Ids{0, 1});
  v.unknown = 2;
  CHECK(BpeTokenizer(v).encode("aXb") == Ids{0, 2, 1});
}

TEST_CASE("bpe: awkward texts give the ids of Hugging Face's tokenizers", "[io][tokenizer]") {
  const Json golden = Json::read(fixture_path("bpe.json"));
  const auto [name, split] = GENERATE(std::pair{"gpt2", TextSplit::gpt2}, std::pair{"llama3", TextSplit::llama3},
                                      std::pair{"smollm", TextSplit::smollm});
  const BpeTokenizer tokenizer(fixture_vocabulary(split));
  REQUIRE(golden["texts"].size() > 200);
  for (const Json& entry : golden["texts"].items()) {
    const std::string& text = entry["text"].text();
    INFO(name << ": " << text);
    const Ids ids = tokenizer.encode(text, {.add_start = false, .parse_special = true});
    CHECK(ids == entry[name].numbers<TokenId>());
    CHECK(tokenizer.decode(ids, {.skip_special = false}) == text);
  }
}

TEST_CASE("bpe: any text comes back, whole and as a stream", "[io][tokenizer]") {
  const BpeTokenizer tokenizer(fixture_vocabulary(TextSplit::gpt2));
  lookback::Random random(7);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random);
    const Ids ids = tokenizer.encode(text);
    CHECK(tokenizer.decode(ids) == text);
    TextStream stream(tokenizer);
    std::string together;
    for (const TokenId id : ids) {
      const std::string part = stream.push(id);
      CHECK(valid_utf8(part) == part);
      together += part;
    }
    CHECK(together + stream.finish() == text);
  }
}

TEST_CASE("bpe: invalid UTF-8 comes back as U+FFFD", "[io][tokenizer]") {
  const BpeTokenizer tokenizer(vocabulary_of({}));
  lookback::Random random(8);
  for (int i = 0; i < 200; ++i) {
    std::string bytes;
    for (int k = 0; k < 20; ++k) bytes += static_cast<char>(random.next_u32());
    CHECK(tokenizer.decode(tokenizer.encode(bytes)) == valid_utf8(bytes));
  }
}

TEST_CASE("bpe: names of control tokens are text unless asked for, user-defined tokens are always cut out",
          "[io][tokenizer]") {
  const BpeTokenizer tokenizer(fixture_vocabulary(TextSplit::gpt2));
  const TokenId end = tokenizer.vocabulary().end;
  CHECK(tokenizer.encode("<name><|endoftext|>", {.add_start = true, .parse_special = true}) == Ids{end + 1, end});
  const Ids plain = tokenizer.encode("<name><|endoftext|>");
  CHECK(plain[0] == end + 1);
  CHECK(std::count(plain.begin(), plain.end(), end) == 0);
  CHECK(tokenizer.decode(plain) == "<name><|endoftext|>");
  CHECK(tokenizer.decode(Ids{end, end + 1}) == "<name>");
}

TEST_CASE("bpe: tokens that are not whole characters are shown as bytes", "[io][tokenizer]") {
  const BpeTokenizer tokenizer(vocabulary_of({{"\xE6", "\x97"}, {"\xE6\x97", "\xA5"}}));
  CHECK(tokenizer.display(256) == "<0xE6><0x97>");
  CHECK(tokenizer.display(257) == "\u65E5");
  CHECK(tokenizer.display(0xFF) == "<0xFF>");
  CHECK(tokenizer.bytes_of(256) == "\xE6\x97");
}

TEST_CASE("bpe: vocabularies that contradict themselves are refused", "[io][tokenizer]") {
  Vocabulary no_piece = vocabulary_of({{"a", "b"}});
  no_piece.merges.push_back({'x', 'y'});
  CHECK_THROWS_AS(BpeTokenizer(no_piece), FormatError);
  Vocabulary far = vocabulary_of({{"a", "b"}});
  far.merges.push_back({'x', 257});
  CHECK_THROWS_AS(BpeTokenizer(far), FormatError);
  far.merges.back() = {-1, 'x'};
  CHECK_THROWS_AS(BpeTokenizer(far), FormatError);
  Vocabulary by_score = vocabulary_of({});
  by_score.split = TextSplit::none;
  CHECK_THROWS_AS(BpeTokenizer(by_score), FormatError);
}

TEST_CASE("bpe: 200,000 repeated characters take less than two seconds", "[io][tokenizer]") {
  constexpr std::size_t count = 200000;
  const auto split = GENERATE(TextSplit::gpt2, TextSplit::llama3, TextSplit::smollm);
  Vocabulary v = vocabulary_of({{"a", "a"}, {"aa", "aa"}, {" ", " "}, {"aaaa", "aaaa"}});
  v.split = split;
  const BpeTokenizer tokenizer(v);
  std::size_t num_ids = 0;
  CHECK(seconds_to_encode(tokenizer, std::string(count, 'a'), num_ids) < 2.0);
  CHECK(num_ids == count / 8);
  CHECK(seconds_to_encode(tokenizer, std::string(count, ' '), num_ids) < 2.0);
  CHECK(num_ids == count / 2);
  CHECK(seconds_to_encode(tokenizer, std::string(count, '\n'), num_ids) < 2.0);
  CHECK(seconds_to_encode(tokenizer, std::string(count, '!'), num_ids) < 2.0);
  CHECK(seconds_to_encode(tokenizer, std::string(count, '1'), num_ids) < 2.0);
  CHECK(num_ids == count);
}
