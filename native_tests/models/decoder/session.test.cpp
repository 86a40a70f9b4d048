// SPDX-License-Identifier: MIT
#include "lookback/models/decoder/session.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "models/decoder/files.hpp"
#include "support/allclose.hpp"
#include "support/errors.hpp"

using Catch::Matchers::ContainsSubstring;
using lookback::io::TokenId;
using lookback::models::DecoderModel;
using lookback::models::DecoderSession;
using lookback::test::close_to;
using lookback::test::error_of;
using lookback::test::fixture_model;
using lookback::test::TinyFile;
using Tokens = std::vector<TokenId>;
using Logits = std::vector<float>;

namespace {

Logits copy(std::span<const float> values) { return {values.begin(), values.end()}; }

Logits logits_of(const std::shared_ptr<const DecoderModel>& model, const Tokens& tokens) {
  DecoderSession session(model);
  session.run(tokens);
  return copy(session.logits());
}

const Tokens kTokens = {1, 263, 9, 270, 44, 100};

}  // namespace

TEST_CASE("decoder session: every way of cutting a prompt gives the same logits", "[models][decoder]") {
  // Bit i of the number says whether the text is cut after token i.
  const int cuts = GENERATE(range(0, 32));
  const auto model = fixture_model();
  DecoderSession whole(model);
  whole.run(kTokens, {.all_logits = true});
  const auto vocabulary = static_cast<std::size_t>(model->config().vocabulary);

  DecoderSession session(model);
  Tokens chunk;
  for (std::size_t i = 0; i < kTokens.size(); ++i) {
    chunk.push_back(kTokens[i]);
    const bool is_cut = i + 1 == kTokens.size() || (cuts >> i) % 2 == 1;
    if (!is_cut) continue;
    session.run(chunk);
    chunk.clear();
    CHECK(session.position() == static_cast<std::int64_t>(i) + 1);
    CHECK_THAT(session.logits(), close_to(copy(whole.all_logits().subspan(i * vocabulary, vocabulary))));
  }
}

TEST_CASE("decoder session: a later token changes nothing before it", "[models][decoder]") {
  const auto model = fixture_model();
  DecoderSession a(model);
  DecoderSession b(model);
  Tokens changed = kTokens;
  changed.back() = 77;
  a.run(kTokens, {.all_logits = true});
  b.run(changed, {.all_logits = true});
  const std::size_t before = (kTokens.size() - 1) * static_cast<std::size_t>(model->config().vocabulary);
  CHECK(copy(a.all_logits().first(before)) == copy(b.all_logits().first(before)));
  CHECK(copy(a.logits()) != copy(b.logits()));
}

TEST_CASE("decoder session: ops can be run one at a time", "[models][decoder]") {
  const auto model = fixture_model();
  const std::int64_t step = GENERATE(1, 2, 7, 1000);
  DecoderSession session(model);
  session.begin(kTokens);
  CHECK(session.is_running());
  std::int64_t num_calls = 1;
  while (!session.advance(step)) {
    CHECK(session.position() == 0);
    CHECK(session.next_op() == num_calls * step);
    ++num_calls;
  }
  CHECK(num_calls == (session.num_ops() + step - 1) / step);
  CHECK(session.position() == 6);
  CHECK(copy(session.logits()) == logits_of(model, kTokens));
}

TEST_CASE("decoder session: eight tokens fit into a context of eight, a ninth is refused", "[models][decoder]") {
  const auto model = TinyFile{}.model();
  DecoderSession session(model);
  std::vector<Logits> first;
  for (int i = 0; i < 8; ++i) {
    session.run(Tokens{i % 7});
    first.push_back(copy(session.logits()));
  }
  const std::string error = error_of([&] { return session.begin(Tokens{0}), 0; });
  CHECK_THAT(error, ContainsSubstring("state: ") && ContainsSubstring("context is full") && ContainsSubstring("8"));
  CHECK(session.position() == 8);
  CHECK(copy(session.logits()) == first.back());
  session.truncate(0);
  for (int i = 0; i < 8; ++i) {
    session.run(Tokens{i % 7});
    CHECK(copy(session.logits()) == first[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("decoder session: a chunk that does not fit leaves the text as it was", "[models][decoder]") {
  const auto model = TinyFile{}.model();
  DecoderSession session(model);
  CHECK_THAT(error_of([&] { return session.begin(Tokens(9, 1)), 0; }), ContainsSubstring("state: "));
  CHECK(session.position() == 0);
  CHECK_FALSE(session.is_running());
  session.run(Tokens(8, 1));
  CHECK(session.position() == 8);
}

TEST_CASE("decoder session: tokens outside the vocabulary are named", "[models][decoder]") {
  DecoderSession session(TinyFile{}.model());
  CHECK_THAT(error_of([&] {
               return session.begin(Tokens{0, 7}), 0;
             }),
             ContainsSubstring("range: ") && ContainsSubstring("token 7") && ContainsSubstring("vocabulary of 7"));
  CHECK_THAT(error_of([&] { return session.begin(Tokens{-1}), 0; }), ContainsSubstring("-1"));
  CHECK_THAT(error_of([&] { return session.begin(Tokens{}), 0; }), ContainsSubstring("value: "));
  session.run(Tokens{6});
  CHECK(session.position() == 1);
}

TEST_CASE("decoder session: truncating goes back to an earlier state", "[models][decoder]") {
  const auto model = fixture_model();
  DecoderSession session(model);
  session.run(kTokens);
  session.run(Tokens{7, 8, 9});
  session.truncate(6);
  CHECK(session.position() == 6);
  session.run(Tokens{50});
  Tokens expected = kTokens;
  expected.push_back(50);
  CHECK_THAT(session.logits(), close_to(logits_of(model, expected)));
  CHECK_THAT(error_of([&] { return session.truncate(8), 0; }), ContainsSubstring("range: "));
  CHECK_THAT(error_of([&] { return session.truncate(-1), 0; }), ContainsSubstring("range: "));
}

TEST_CASE("decoder session: an unfinished run can be dropped", "[models][decoder]") {
  const auto model = fixture_model();
  DecoderSession session(model);
  session.run(Tokens{1, 2});
  session.begin(Tokens{3, 4});
  session.advance(20);
  CHECK_THAT(error_of([&] { return session.begin(Tokens{5}), 0; }),
             ContainsSubstring("state: ") && ContainsSubstring("not finished"));
  CHECK_THAT(error_of([&] { return session.logits(); }), ContainsSubstring("state: "));
  session.cancel();
  CHECK(session.position() == 2);
  session.run(Tokens{5});
  CHECK_THAT(session.logits(), close_to(logits_of(model, {1, 2, 5})));
}

TEST_CASE("decoder session: results are there when asked for and run", "[models][decoder]") {
  DecoderSession session(fixture_model());
  CHECK_THAT(error_of([&] { return session.logits(); }), ContainsSubstring("state: "));
  CHECK_THAT(error_of([&] { return session.advance(1); }), ContainsSubstring("without begin"));
  session.begin(kTokens);
  CHECK_THAT(error_of([&] { return session.advance(0); }), ContainsSubstring("value: "));
  session.advance(1000);
  CHECK(session.logits().size() == 287);
  CHECK_THAT(error_of([&] { return session.all_logits(); }), ContainsSubstring("state: "));
  CHECK_THAT(error_of([&] { return session.attention(); }), ContainsSubstring("state: "));
}

TEST_CASE("decoder session: capturing attention changes no number", "[models][decoder]") {
  const auto model = fixture_model();
  DecoderSession session(model);
  session.run(Tokens{1, 263}, {.attention = true});
  session.run(Tokens{9, 270, 44, 100}, {.attention = true});
  CHECK_THAT(session.logits(), close_to(logits_of(model, kTokens)));
  const auto attention = session.attention();
  REQUIRE(attention.size() == 2 * 4 * 4 * 6);
  for (std::size_t row = 0; row < 2 * 4 * 4; ++row) {
    const std::size_t own_position = 2 + row / 4 % 4;
    double sum = 0.0;
    for (std::size_t s = 0; s < 6; ++s) {
      const float weight = attention[row * 6 + s];
      if (s > own_position) CHECK(weight == 0.0f);
      sum += static_cast<double>(weight);
    }
    CHECK_THAT(std::vector<double>{sum}, close_to({1.0}));
  }
}

TEST_CASE("decoder session: keys are rotated once, when they are written", "[models][decoder]") {
  const auto model = fixture_model();
  DecoderSession session(model);
  session.run(kTokens);
  const std::size_t written = 6 * 8;
  const Logits keys = copy(session.cached_keys(1).first(written));
  session.run(Tokens{3});
  session.run(Tokens{4});
  CHECK(copy(session.cached_keys(1).first(written)) == keys);
  CHECK(session.cached_values(0).size() == 32 * 8);
  CHECK_THAT(error_of([&] { return session.cached_keys(2); }), ContainsSubstring("layer 2"));
}

TEST_CASE("decoder session: capacity may be less than the context, never more", "[models][decoder]") {
  const auto model = fixture_model();
  CHECK(DecoderSession(model, 5).capacity() == 5);
  CHECK(DecoderSession(model).capacity() == 32);
  CHECK_THAT(error_of([&] { return DecoderSession(model, 33).capacity(); }),
             ContainsSubstring("range: ") && ContainsSubstring("33"));
  CHECK_THAT(error_of([&] { return DecoderSession(model, -1).capacity(); }), ContainsSubstring("range: "));
  DecoderSession small(model, 6);
  small.run(kTokens);
  CHECK(copy(small.logits()) == logits_of(model, kTokens));
}

TEST_CASE("decoder session: sessions of one model do not disturb each other", "[models][decoder]") {
  const auto model = fixture_model();
  DecoderSession a(model);
  DecoderSession b(model);
  a.run(Tokens{1, 2});
  b.run(Tokens{7});
  a.begin(Tokens{3});
  b.run(Tokens{8});
  a.advance(1000);
  CHECK_THAT(a.logits(), close_to(logits_of(model, {1, 2, 3})));
  CHECK_THAT(b.logits(), close_to(logits_of(model, {7, 8})));
}

TEST_CASE("decoder session: a token after the first allocates nothing", "[models][decoder]") {
  DecoderSession session(fixture_model());
  session.run(Tokens{1, 2, 3});
  const std::int64_t bytes = session.byte_length();
  for (int i = 0; i < 10; ++i) session.run(Tokens{5});
  CHECK(session.byte_length() == bytes);
}

TEST_CASE("decoder session: a separate output matrix is the one used", "[models][decoder]") {
  TinyFile tied;
  TinyFile separate;
  separate.has_output = true;
  Logits doubled = logits_of(tied.model(), {1, 2});
  for (float& logit : doubled) logit *= 2.0f;
  CHECK(logits_of(separate.model(), {1, 2}) == doubled);
}

TEST_CASE("decoder session: heads wider than width / heads, and half-turned heads, agree with chunks",
          "[models][decoder]") {
  TinyFile file;
  file.head_dim = 6;
  file.extra = [](lookback::io::GgufWriter& writer) { writer.set_u32("llama.rope.dimension_count", 4); };
  const auto model = file.model();
  DecoderSession session(model);
  for (const TokenId token : {1, 2, 3}) session.run(Tokens{token});
  CHECK_THAT(session.logits(), close_to(logits_of(model, {1, 2, 3})));
}
