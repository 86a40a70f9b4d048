#!/bin/sh
# SPDX-License-Identifier: MIT
# Formats C++ with one fixed version of clang-format, and the web parts with their own formatters.
set -eu
clang_format=clang-format@1.8.0 # the npm package; its clang-format is 15.0.0

for folder in src native_tests; do
    find "$folder" -name '*.[ch]pp'
done | xargs npx --yes "$clang_format" -i
for folder in web wasm_tests; do
    npm run format --if-present --silent --prefix "$folder"
done
