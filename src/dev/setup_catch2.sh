#!/bin/sh
# SPDX-License-Identifier: MIT
# Unpacks the source of Catch2 3 into the cache: the tests compile it once natively and once for WebAssembly.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/common.sh"
# shellcheck source=/dev/null
. "$here/private_apt.sh"

suite=bookworm-backports
root=$LOOKBACK_CACHE/catch2

unpack() {
    conf=$(private_apt_open "$suite" deb-src)
    archives=$(dirname "$conf")/source
    rm -rf "$root.partial" "$archives"
    mkdir -p "$root.partial" "$archives"
    apt-get -c "$conf" update
    cd "$archives"
    apt-get -c "$conf" source --download-only catch2
    tar -xf "$(find . -name 'catch2_3*.orig.tar.*' ! -name '*.asc')" -C "$root.partial" --strip-components=1
    grep -q 'catch_discover_tests' "$root.partial/extras/Catch.cmake"
    rm -rf "$root" "$archives"
    mv "$root.partial" "$root"
}

case ${1:-all} in
all) [ -d "$root" ] || step "Catch2: download and unpack" "$LOOKBACK_CACHE/logs/catch2.log" sh "$0" unpack ;;
*) "$1" ;;
esac
