// SPDX-License-Identifier: MIT
// SentencePiece's visible space, U+2581, which files hold where pieces have a space.
#pragma once

#include <string>
#include <string_view>

namespace lookback::io {

std::string with_spaces(std::string_view written);
std::string with_visible_spaces(std::string_view piece);

}  // namespace lookback::io
