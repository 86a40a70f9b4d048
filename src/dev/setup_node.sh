#!/bin/sh
# SPDX-License-Identifier: MIT
# Gets a current Node.js and npm into the cache, with the older ones of the machine.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/common.sh"

root=$LOOKBACK_CACHE/node

install() {
    rm -rf "$root.partial"
    mkdir -p "$root.partial/bin"
    platform=$(node -p 'process.platform + "-" + process.arch')
    npm install --prefix "$root.partial" --no-audit --no-fund --ignore-scripts "node-$platform@22" npm@10
    ln -s "../node_modules/node-$platform/bin/node" "$root.partial/bin/node"
    for program in npm npx; do
        ln -s "../node_modules/npm/bin/$program-cli.js" "$root.partial/bin/$program"
    done
    "$root.partial/bin/node" --version
    rm -rf "$root"
    mv "$root.partial" "$root"
}

case ${1:-all} in
all) [ -d "$root" ] || step "Node.js: a current one" "$LOOKBACK_CACHE/logs/node.log" sh "$0" install ;;
*) "$1" ;;
esac
