// SPDX-License-Identifier: MIT
// What bytes are, at first sight: the errors for content that is no model at all.
#pragma once

#include <cstddef>
#include <span>

namespace lookback::io {

/// Throws FormatError when the bytes are empty or an HTML page; `what` is what they should have been ("model file").
void check_is_data(const char* what, std::span<const std::byte> bytes);

}  // namespace lookback::io
