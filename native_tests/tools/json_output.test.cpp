// SPDX-License-Identifier: MIT
#include "lookback/tools/json_output.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <sstream>
#include <vector>

using lookback::tools::write_json;

TEST_CASE("json output: numbers read back the same, what is no number is null", "[tools]") {
  std::ostringstream stream;
  write_json<float>(stream, std::vector<float>{0.1f, -2.0f, std::numeric_limits<float>::quiet_NaN(),
                                               std::numeric_limits<float>::infinity()});
  CHECK(stream.str() == "[0.100000001,-2,null,null]\n");
  std::ostringstream ids;
  write_json<int>(ids, std::vector<int>{});
  CHECK(ids.str() == "[]\n");
}
