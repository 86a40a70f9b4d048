// SPDX-License-Identifier: MIT
#include "lookback/models/decoder/plan.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "models/decoder/files.hpp"
#include "support/json.hpp"

using lookback::models::make_plan;
using lookback::models::OpKind;
using lookback::models::Plan;
using lookback::models::Rows;
using lookback::test::fixture_model;
using lookback::test::Json;
using lookback::test::TinyFile;

TEST_CASE("plan: seventeen ops a layer, one before and three after", "[models][decoder]") {
  const auto model = fixture_model();
  CHECK(model->plan().ops.size() == 1 + 2 * 17 + 3);
  CHECK(model->plan().ops.front().kind == OpKind::embedding);
  CHECK(model->plan().ops.back().output == model->plan().logits);
}

TEST_CASE("plan: every input was written by an earlier op", "[models][decoder]") {
  const auto model = fixture_model();
  const Plan& plan = model->plan();
  std::set<int> written = {plan.rotary_cos, plan.rotary_sin};
  for (const auto& op : plan.ops) {
    for (const int input : op.inputs) CHECK(written.contains(input));
    CHECK(op.output >= 0);
    CHECK(static_cast<std::size_t>(op.output) < plan.tensors.size());
    written.insert(op.output);
  }
  CHECK(written.size() == plan.tensors.size());
}

TEST_CASE("plan: only rotary and add work in place", "[models][decoder]") {
  const auto model = fixture_model();
  for (const auto& op : model->plan().ops) {
    const bool is_in_place = std::find(op.inputs.begin(), op.inputs.end(), op.output) != op.inputs.end();
    CHECK(is_in_place == (op.kind == OpKind::rotary || op.kind == OpKind::add));
  }
}

TEST_CASE("plan: each layer has caches of its own", "[models][decoder]") {
  const auto model = fixture_model();
  const Plan& plan = model->plan();
  REQUIRE(plan.keys.size() == 2);
  CHECK(plan.keys[0] != plan.keys[1]);
  for (const int id : plan.keys) {
    CHECK(plan.tensors[static_cast<std::size_t>(id)].rows == Rows::capacity);
    CHECK(plan.tensors[static_cast<std::size_t>(id)].cols == 8);
  }
}

TEST_CASE("plan: a tied output uses the embedding, a separate one its own matrix", "[models][decoder]") {
  TinyFile file;
  CHECK(file.model()->plan().ops.back().weight == "token_embd.weight");
  file.has_output = true;
  CHECK(file.model()->plan().ops.back().weight == "output.weight");
}

TEST_CASE("plan: the JSON says everything an executor needs", "[models][decoder]") {
  const auto model = fixture_model();
  const Plan& plan = model->plan();
  const Json json = Json::parse(to_json(plan));
  CHECK(json["config"]["headDim"].number() == 4);
  CHECK(json["config"]["kvHeads"].number() == 2);
  CHECK(json["config"]["rotaryPairing"].text() == "interleaved");
  CHECK(static_cast<float>(json["config"]["normEpsilon"].number()) == 1e-5f);
  CHECK(json["config"]["rotaryBase"].number() == 10000.0);
  CHECK(json["config"]["name"].text() == "fixture");
  CHECK(json["logits"].number() == plan.logits);
  CHECK(json["values"].numbers<int>() == plan.values);
  REQUIRE(json["ops"].size() == plan.ops.size());
  REQUIRE(json["tensors"].size() == plan.tensors.size());
  const Json& first_norm = json["ops"][1];
  CHECK(first_norm["op"].text() == "rms_norm");
  CHECK(first_norm["layer"].number() == 0);
  CHECK(first_norm["weight"].text() == "blk.0.attn_norm.weight");
  CHECK(json["ops"][5]["op"].text() == "rotary");
  CHECK(json["ops"][5]["heads"].number() == 4);
  CHECK(json["ops"][6]["heads"].number() == 2);
  CHECK(json["tensors"][0]["rows"].text() == "chunk");
  CHECK(json["tensors"][0]["cols"].number() == 16);
}

TEST_CASE("plan: names with quotes and control characters stay valid JSON", "[models][decoder]") {
  auto config = fixture_model()->config();
  config.name = "a\"b\\c\n\x01";
  const Json json = Json::parse(to_json(make_plan(config)));
  CHECK(json["config"]["name"].text() == config.name);
}
