// SPDX-License-Identifier: MIT
// GPT-2's way to write bytes as printable characters, which files hold instead of the bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lookback/io/vocabulary.hpp"

namespace lookback::io {

/// Bytes 33-126, 161-172 and 174-255 are the characters of these numbers; the other 68, in their order, U+0100 to
/// U+0143: a space is U+0120.
std::string write_bytes(std::string_view bytes);

/// The bytes again; nothing when a character stands for no byte.
std::optional<std::string> read_bytes(std::string_view written);

/// The piece of a token as a byte-level file writes it: the bytes of a normal token, or the text itself where it isn't
/// written so; other kinds stand as they are.
std::string byte_level_piece(std::string_view written, TokenKind kind);

}  // namespace lookback::io
