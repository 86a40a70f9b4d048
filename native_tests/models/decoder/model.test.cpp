// SPDX-License-Identifier: MIT
#include "lookback/models/decoder/model.hpp"

#include <catch2/catch_test_macros.hpp>

#include "models/decoder/files.hpp"

using lookback::Shape;
using lookback::models::OpKind;
using lookback::test::fixture_model;

TEST_CASE("decoder model: matrices stay where the file has them, norms are f32 vectors", "[models][decoder]") {
  const auto model = fixture_model("fixture-f16.gguf");
  const auto& ops = model->plan().ops;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const auto& weight = model->weight(i);
    CHECK((weight.bytes != nullptr) == !ops[i].weight.empty());
    CHECK((model->vector(i) != nullptr) == (ops[i].kind == OpKind::rms_norm));
    if (!ops[i].weight.empty()) CHECK(weight.bytes == model->file().find_tensor(ops[i].weight)->weight.bytes);
  }
}
