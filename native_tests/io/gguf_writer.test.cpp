// SPDX-License-Identifier: MIT
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "lookback/io/gguf.hpp"
#include "lookback/kernels/half.hpp"
#include "support/errors.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace lookback::io;
using lookback::Shape;
using lookback::kernels::WeightType;

TEST_CASE("gguf: Q8_0 is written as ggml does", "[io][gguf]") {
  std::vector<float> values(64, 0.0f);
  values[0] = -12.7f;  // so the step is 0.1
  values[1] = 0.26f;   // 2.6 steps
  values[2] = -0.04f;  // 0.4 steps
  values[31] = 12.7f;
  // The second block is zeros: its scale is 0.
  GgufWriter writer;
  writer.add_tensor("q", Shape{2, 32}, values, WeightType::q8_0);
  writer.add_tensor("after", Shape{1}, std::vector<float>{3.0f}, WeightType::f32);
  const ModelFile file(writer.finish());
  const auto& weight = file.tensor("q", Shape{2, 32}).weight;
  CHECK(weight.type == WeightType::q8_0);
  std::vector<float> row(32);
  lookback::kernels::read_row(weight, 0, row.data());
  const float step = lookback::kernels::half_to_float(lookback::kernels::float_to_half(12.7f / 127.0f));
  std::vector<float> expected(32, 0.0f);
  expected[0] = -127.0f * step;
  expected[1] = 3.0f * step;
  expected[31] = 127.0f * step;
  CHECK(row == expected);
  lookback::kernels::read_row(weight, 1, row.data());
  CHECK(row == std::vector<float>(32, 0.0f));
  lookback::kernels::read_row(file.tensor("after", Shape{1}).weight, 0, row.data());
  CHECK(row[0] == 3.0f);
}

TEST_CASE("gguf: what a block type can't hold is refused", "[io][gguf]") {
  const auto error = [](const Shape& shape, float number, WeightType type) {
    const std::vector<float> values(static_cast<std::size_t>(shape.num_elements()), number);
    GgufWriter writer;
    return lookback::test::error_of([&] { return writer.add_tensor("t", shape, values, type), 0; });
  };
  CHECK_THAT(error(Shape{32, 33}, 1.0f, WeightType::q8_0),
             ContainsSubstring("shape: gguf: rows of tensor t [32, 33] are not whole blocks of 32"));
  for (const float number : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e8f}) {
    CHECK_THAT(error(Shape{32}, number, WeightType::q8_0), ContainsSubstring("value: gguf: tensor t holds "));
  }
  CHECK(error(Shape{32}, 8e6f, WeightType::q8_0) == "no error");
  CHECK_THAT(error(Shape{32}, 1.0f, WeightType::q4_0), ContainsSubstring("unsupported: gguf: tensor t "));
}
