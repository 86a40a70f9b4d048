#!/bin/sh
# SPDX-License-Identifier: MIT
# Unpacks Debian's Emscripten and LLVM into the cache, relocated there, without root.
# Each step works in a folder of its own that is renamed when whole, so an interruption costs that step only.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/common.sh"
# shellcheck source=/dev/null
. "$here/private_apt.sh"

suite=forky
root=$LOOKBACK_CACHE/emscripten
partial=$root.partial
system_libraries=$root-cache

unpack() {
    conf=$(private_apt_open "$suite" deb)
    apt-get -c "$conf" update
    apt-get -c "$conf" install -y --download-only emscripten
    rm -rf "$partial"
    mkdir -p "$partial"
    for package in "$(dirname "$conf")"/cache/archives/*.deb; do
        dpkg -x "$package" "$partial"
    done
    # The links that the suite's base-files package would make.
    for folder in lib lib64; do
        if [ ! -e "$partial/$folder" ] && [ -d "$partial/usr/$folder" ]; then
            ln -s "usr/$folder" "$partial/$folder"
        fi
    done
    # Only Debian's own node looks for modules in /usr/share/nodejs.
    ln -sfn ../nodejs "$partial/usr/share/emscripten/node_modules"
}

# patch_rpath FILE...: lets each load the suite's libraries instead of the machine's older ones.
patch_rpath() {
    for file in "$@"; do
        if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
        interpreter=$(patchelf --print-interpreter "$file" 2>/dev/null) || interpreter=
        patchelf ${interpreter:+--set-interpreter "$root$interpreter"} \
            --force-rpath --set-rpath "$rpath" "$file" || say "left as it is: $file"
    done
}

relocate() {
    llvm=$(basename "$(find "$partial/usr/lib" -maxdepth 1 -type d -name 'llvm-*' | head -n 1)")
    libraries=$(dirname "$(find "$partial/usr/lib" -name libc.so.6 | head -n 1)")
    rpath=$root/usr/lib/$(basename "$libraries"):$root/usr/lib/$llvm/lib
    patch_rpath "$partial/usr/lib/$llvm"/bin/* "$partial"/usr/bin/wasm*
    # Their own RUNPATH would hide the path given to the programs.
    patch_rpath "$libraries"/libLLVM*.so* "$libraries"/libclang*.so* "$partial/usr/lib/$llvm"/lib/lib*.so*
    cat >"$partial/emscripten_config" <<EOF
LLVM_ROOT = '$root/usr/lib/$llvm/bin'
BINARYEN_ROOT = '$root/usr'
NODE_JS = '$(command -v node)'
CACHE = '$system_libraries'
EOF
}

place() {
    relocate
    rm -rf "$root" "$system_libraries"
    mv "$partial" "$root"
    rm -rf "$LOOKBACK_CACHE/apt/$suite/cache/archives"
}

# A module that needs libc, libc++ with exceptions and embind: its link builds those libraries.
hello() {
    rm -rf "$LOOKBACK_CACHE/hello"
    mkdir -p "$LOOKBACK_CACHE/hello"
    cat >"$LOOKBACK_CACHE/hello/hello.cpp" <<'EOF'
#include <emscripten/bind.h>
#include <stdexcept>
#include <string>
#include <vector>
std::string greet(std::string name) {
    try {
        return std::vector<std::string>{"hello"}.at(name.size()) + name;
    } catch (const std::out_of_range&) {
        return "hello " + name;
    }
}
EMSCRIPTEN_BINDINGS(hello) { emscripten::function("greet", &greet); }
EOF
    cat >"$LOOKBACK_CACHE/hello/check.mjs" <<'EOF'
import create from './hello.mjs';
const module = await create();
if (module.greet('wasm') !== 'hello wasm') throw new Error('Embind gave a wrong answer');
EOF
    for flags in "-O3 -sDYNAMIC_EXECUTION=0" "-O1 -sASSERTIONS=1"; do
        # shellcheck disable=SC2086  # the flags are words
        "$root/usr/share/emscripten/em++" -std=c++20 $flags -msimd128 -fwasm-exceptions -sWASM_LEGACY_EXCEPTIONS=1 \
            -lembind -sMODULARIZE -sEXPORT_ES6 -sALLOW_MEMORY_GROWTH \
            "$LOOKBACK_CACHE/hello/hello.cpp" -o "$LOOKBACK_CACHE/hello/hello.mjs"
        node "$LOOKBACK_CACHE/hello/check.mjs"
    done
}

build_system_libraries() {
    export EM_CONFIG="$root/emscripten_config"
    rm -rf "$system_libraries" "$system_libraries.partial"
    EM_CACHE=$system_libraries.partial hello
    mv "$system_libraries.partial" "$system_libraries"
    hello
}

case ${1:-all} in
all)
    if [ ! -d "$root" ]; then
        step "Emscripten: download and unpack" "$LOOKBACK_CACHE/logs/emscripten_unpack.log" sh "$0" unpack
        step "Emscripten: relocate" "$LOOKBACK_CACHE/logs/emscripten_relocate.log" sh "$0" place
    fi
    if [ ! -d "$system_libraries" ]; then
        step "Emscripten: system libraries" "$LOOKBACK_CACHE/logs/emscripten_libraries.log" sh "$0" build_system_libraries
    fi
    ;;
*) "$1" ;;
esac
