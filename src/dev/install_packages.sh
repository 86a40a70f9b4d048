#!/bin/sh
# SPDX-License-Identifier: MIT
# install_packages.sh ROOT_COMMAND PACKAGE...: apt, also after an installation that was cut off.
set -eu
as_root=$1
shift

# A stale list is no reason to stop: apt says itself when it can't find a package.
$as_root apt-get update || true
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@"
}
install "$@" || {
    $as_root dpkg --configure -a
    install "$@"
}
