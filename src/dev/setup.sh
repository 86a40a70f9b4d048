#!/bin/sh
# SPDX-License-Identifier: MIT
# Gets what a part of the project needs, and is quiet when nothing is to do:
#   setup.sh native      compiler, CMake, Node.js, Catch2, Eigen
#   setup.sh web         that and Emscripten
#   setup.sh browsers    that and three browser engines, for tests
# It leaves the environment of a build in env.sh in the cache folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/common.sh"
part=${1:-web}

mkdir -p "$LOOKBACK_CACHE"
# A set-up that lost its terminal may still be at work: its children hold this lock too.
exec 9>"$LOOKBACK_CACHE/lock"
if have flock && ! flock -n 9; then
    say "Waiting for another set-up to end."
    flock 9
fi

is_debian() { have apt-get && have dpkg; }

node_is_current() { at_least "$(version_of node --version)" 20.19; }

# An Emscripten of the user's own comes first, when it is new enough.
own_emcc() {
    for emcc in "$(command -v emcc)" "${EMSDK:+$EMSDK/upstream/emscripten/emcc}"; do
        if [ -x "$emcc" ] && at_least "$(version_of "$emcc" --version)" 5.0; then
            printf '%s\n' "$emcc"
            return
        fi
    done
}

emscripten_root_of() {
    if [ -x "$(dirname "$1")/em-config" ]; then
        "$(dirname "$1")/em-config" EMSCRIPTEN_ROOT
    else
        dirname "$1"
    fi
}

# lack PACKAGE DESCRIPTION: notes one missing thing, by its Debian name and in words.
lack() {
    packages="$packages $1"
    descriptions="$descriptions
  $2"
}

look_around() {
    packages=
    descriptions=
    have git || lack git "git"
    at_least "$(version_of cmake --version)" 3.25 || lack cmake "CMake 3.25 or newer"
    have ninja || lack ninja-build "Ninja"
    have "${CXX:-c++}" || have g++ || lack g++ "a C++20 compiler"
    have make || lack make "make"
    have python3 || lack python3 "Python 3.8 or newer"
    if is_debian; then
        have node || lack nodejs "Node.js"
        [ -d /usr/include/eigen3 ] || lack libeigen3-dev "Eigen 3"
    else
        node_is_current || lack nodejs "Node.js 20.19 or newer"
    fi
    have npm || lack npm "npm"
    [ "$part" = native ] && return
    if [ -z "$emcc" ]; then
        if is_debian; then
            have patchelf || lack patchelf "patchelf"
        else
            lack emscripten "Emscripten 5 or newer, as emcc on PATH or with EMSDK set (https://emscripten.org)"
        fi
    fi
    [ "$part" = web ] && return
    have chromium || have google-chrome || lack chromium "Chromium"
    have firefox-esr || have firefox || lack firefox-esr "Firefox"
    if is_debian; then
        have WebKitWebDriver || lack webkit2gtk-driver "WebKitGTK's WebDriver"
        have xvfb-run || lack "xvfb xauth" "Xvfb"
    fi
}

confirm() {
    [ -t 0 ] || return 0
    printf '%s [Y/n] ' "$1"
    read -r answer
    case $answer in [Nn]*) return 1 ;; esac
}

install_packages() {
    as_root=
    if [ "$(id -u)" != 0 ]; then
        have sudo || die "root is needed for: apt-get install$packages"
        sudo -v
        as_root=sudo
    fi
    # shellcheck disable=SC2086  # packages and as_root are words
    step "apt-get install$packages" "$LOOKBACK_CACHE/logs/apt.log" sh "$here/install_packages.sh" "$as_root" $packages 9>&-
}

# Set when the machine's own Node.js turned out to be too old.
if [ -d "$LOOKBACK_CACHE/node" ]; then PATH=$LOOKBACK_CACHE/node/bin:$PATH; fi
emcc=
[ "$part" = native ] || emcc=$(own_emcc)
look_around
downloads=
if is_debian; then
    [ -d "$LOOKBACK_CACHE/catch2" ] || downloads=" Catch2"
    [ "$part" = native ] || [ -n "$emcc" ] || [ -d "$LOOKBACK_CACHE/emscripten" ] || downloads="$downloads Emscripten (160 MB)"
fi
if [ -n "$packages" ] && ! is_debian; then
    die "these are missing, please install them:$descriptions"
fi
if [ -n "$packages$downloads" ]; then
    [ -z "$packages" ] || say "To be installed with apt:$packages"
    [ -z "$downloads" ] || say "To be unpacked in $LOOKBACK_CACHE:$downloads"
    confirm "Go on?" || die "nothing was installed"
fi
if [ -n "$packages" ]; then
    install_packages
    look_around
    [ -z "$packages" ] || die "still missing after the installation:$descriptions"
fi

if ! node_is_current; then
    sh "$here/setup_node.sh"
    PATH=$LOOKBACK_CACHE/node/bin:$PATH
fi
if is_debian; then
    sh "$here/setup_catch2.sh"
    if [ "$part" != native ] && [ -z "$emcc" ]; then
        sh "$here/setup_emscripten.sh"
    fi
fi

{
    if [ -d "$LOOKBACK_CACHE/node" ]; then say "export PATH='$LOOKBACK_CACHE/node/bin':\"\$PATH\""; fi
    if [ -n "$emcc" ]; then
        say "export LOOKBACK_EMSCRIPTEN='$(emscripten_root_of "$emcc")'"
    elif [ -d "$LOOKBACK_CACHE/emscripten" ]; then
        say "export LOOKBACK_EMSCRIPTEN='$LOOKBACK_CACHE/emscripten/usr/share/emscripten'"
        say "export EM_CONFIG='$LOOKBACK_CACHE/emscripten/emscripten_config'"
    fi
    if [ -d "$LOOKBACK_CACHE/catch2" ]; then say "export LOOKBACK_CATCH2='$LOOKBACK_CACHE/catch2'"; fi
    if [ -d /usr/share/eigen3/cmake ]; then say "export LOOKBACK_EIGEN='/usr/share/eigen3/cmake'"; fi
} | write_if_new "$LOOKBACK_CACHE/env.sh"
