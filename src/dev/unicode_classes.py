#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/lookback/io/unicode_tables.hpp: which code points are letters (L*) and numbers (N*).

usage: python3 src/dev/unicode_classes.py     (the Unicode version is that of this Python's unicodedata)
"""
import os
import unicodedata

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lookback/io/unicode_tables.hpp")
HEADER = """// SPDX-License-Identifier: MIT
// Written by src/dev/unicode_classes.py: do not edit. Unicode %s. Lengths of the runs of code points outside and inside
// a class by turns, seven bits a byte, the lowest first; the top bit says that more follow.
#pragma once

#include <cstdint>

namespace lookback::io {
"""


def run_lengths(category):
    """Lengths of the runs of code points that are not, are, are not... of the category; the last run is left out."""
    lengths, inside, start = [], False, 0
    for code in range(0x110000):
        if (unicodedata.category(chr(code))[0] == category) != inside:
            lengths.append(code - start)
            inside, start = not inside, code
    return lengths


def packed(lengths):
    """Seven bits a byte, the lowest first; the top bit says that more follow."""
    result = []
    for length in lengths:
        while length >= 128:
            result.append(length % 128 + 128)
            length //= 128
        result.append(length)
    return result


def table(name, numbers):
    lines, line = [], "   "
    for number in numbers:
        part = " %d," % number
        if len(line) + len(part) > 120:
            lines.append(line)
            line = "   "
        line += part
    lines.append(line)
    return "\n// clang-format off\ninline constexpr std::uint8_t k%s[] = {\n%s\n};\n// clang-format on\n" % (
        name, "\n".join(lines))


def main():
    letters, numbers = packed(run_lengths("L")), packed(run_lengths("N"))
    with open(PATH, "w") as file:
        file.write(HEADER % unicodedata.unidata_version)
        file.write(table("Letters", letters))
        file.write(table("Numbers", numbers))
        file.write("\n}  // namespace lookback::io\n")


main()
