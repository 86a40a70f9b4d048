// SPDX-License-Identifier: MIT
// Checkpoints as bytes and back.
#include "lookback/training/checkpoint.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "lookback/io/gguf.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/tensors.hpp"

using namespace lookback;
using namespace lookback::training;
using namespace lookback::test;

TEST_CASE("checkpoint: numbers, texts and tensors come back as they were, bit for bit", "[training]") {
  const float denormal = std::numeric_limits<float>::denorm_min();
  Checkpoint saved{.kind = "test"};
  saved.numbers = {{"zero", 0}, {"small", 7}, {"middle", std::uint64_t{1} << 63}, {"most", ~std::uint64_t{0}}};
  saved.texts = {{"empty", ""}, {"text", "a\nb \xC3\xA9"}};
  saved.tensors = {{"odd", Tensor::vector({-0.0f, denormal, 3e38f, 0.1f})},
                   {"matrix", random_tensor({3, 5}, 1)},
                   {"scalar", Tensor::scalar(2)}};
  const Checkpoint loaded = Checkpoint::read(saved.bytes(), "test");
  CHECK(loaded.kind == "test");
  CHECK(loaded.numbers == saved.numbers);
  CHECK(loaded.texts == saved.texts);
  REQUIRE(loaded.tensors.size() == 3);
  for (const auto& [name, tensor] : saved.tensors) {
    INFO(name);
    const Tensor& other = loaded.tensor(name);
    REQUIRE(other.size() == tensor.size());
    CHECK(std::memcmp(other.data(), tensor.data(), static_cast<std::size_t>(tensor.size()) * sizeof(float)) == 0);
  }
  CHECK(loaded.tensor("matrix").shape() == Shape{3, 5});
  CHECK(Checkpoint::read(loaded.bytes(), "test").bytes() == saved.bytes());
}

TEST_CASE("checkpoint: one of another kind is refused, naming both", "[training]") {
  const std::vector<std::byte> bytes = Checkpoint{.kind = "theirs"}.bytes();
  CHECK(error_of([&] { return Checkpoint::read(bytes, "ours"); }) == "format: checkpoint: holds 'theirs', not 'ours'");
  io::GgufWriter nameless;
  CHECK(error_of([&] { return Checkpoint::read(nameless.finish(), "ours"); }) ==
        "format: checkpoint: holds 'nothing named', not 'ours'");
  CHECK(error_of([&] { return Checkpoint::read(fixture("fixture-f32.gguf"), "ours"); }).find("format: ") == 0);
  CHECK(error_of([&] { return Checkpoint::read(fixture("fixture.bin"), "ours"); }).find("format: ") == 0);
}

TEST_CASE("checkpoint: tensors of other types are refused", "[training]") {
  io::GgufWriter writer;
  writer.set_string("general.architecture", "test");
  writer.add_tensor("half", {2}, Tensor::vector({1, 2}).values(), kernels::WeightType::f16);
  CHECK(error_of([&] { return Checkpoint::read(writer.finish(), "test"); }) ==
        "format: checkpoint: tensor 'half' is not F32");
}

TEST_CASE("checkpoint: what is missing is named", "[training]") {
  const Checkpoint empty{.kind = "test"};
  CHECK(error_of([&] { return empty.number("step"); }) == "format: checkpoint: 'step' is missing");
  CHECK(error_of([&] { return empty.text("model"); }) == "format: checkpoint: 'model' is missing");
  CHECK(error_of([&] { return empty.tensor("weight"); }) == "format: checkpoint: 'weight' is missing");
}

TEST_CASE("checkpoint: bytes that are none are refused", "[training]") {
  CHECK(error_of([] { return Checkpoint::read({}, "test"); }).find("format: ") == 0);
  CHECK(error_of([] { return Checkpoint::read(to_bytes("<!DOCTYPE html><html>"), "test"); }).find("format: ") == 0);
}

TEST_CASE("take_parameters: all or nothing", "[training]") {
  Tensor a = Tensor::vector({1}), b = Tensor::vector({2});
  const nn::Parameters parameters = {{"a", &a}, {"b", &b}};
  Checkpoint from{.kind = "test", .tensors = {{"a", Tensor::vector({5})}}};
  CHECK(error_of([&] { return take_parameters(from, parameters), 0; }) == "format: checkpoint: 'b' is missing");
  from.tensors["b"] = Tensor::vector({6, 7});
  CHECK(error_of([&] { return take_parameters(from, parameters), 0; }) ==
        "format: checkpoint: tensor 'b' has shape [2], the model's has [1]");
  from.tensors["b"] = Tensor::vector({INFINITY});
  CHECK(error_of([&] { return take_parameters(from, parameters), 0; }) ==
        "format: checkpoint: tensor 'b' holds NaN or infinity");
  CHECK(a.item() == 1.0f);
  from.tensors["b"] = Tensor::vector({6});
  take_parameters(from, parameters);
  CHECK((a.item() == 5.0f && b.item() == 6.0f));
}
