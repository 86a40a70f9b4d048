# SPDX-License-Identifier: MIT
# What ./dev and its set-up scripts share: places, messages, one quiet line a step.
# shellcheck shell=sh

LOOKBACK_CACHE="${LOOKBACK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lookback}"
export LOOKBACK_CACHE

say() { printf '%s\n' "$*"; }

die() {
    printf 'dev: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# version_of COMMAND [ARGUMENT...]: the first version number it prints.
version_of() { "$@" 2>/dev/null | grep -Eo '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1; }

# at_least VERSION WANTED: compares major.minor.
at_least() {
    printf '%s %s\n' "${1:-0.0}" "$2" | awk '{
        split($1, a, "."); split($2, b, ".")
        exit !(a[1] + 0 > b[1] + 0 || (a[1] + 0 == b[1] + 0 && a[2] + 0 >= b[2] + 0))
    }'
}

# step LABEL LOG COMMAND...: one line while it runs; its output only when it fails.
# Descriptor 8 is the lock of ./dev on build/: what outlives ./dev must not hold it.
step() {
    step_label=$1
    step_log=$2
    shift 2
    mkdir -p "$(dirname "$step_log")"
    step_start=$(date +%s)
    printf '%-44s ' "$step_label"
    if "$@" >"$step_log" 2>&1 </dev/null 8>&-; then
        printf 'ok (%s s)\n' "$(($(date +%s) - step_start))"
        return 0
    fi
    printf 'FAILED\n'
    # The cause of a failure stands at one end of a log or at the other.
    awk '{ line[NR] = $0 }
        END { for (i = 1; i <= NR; i++) if (i <= 12 || i > NR - 60) print "    " line[i]; else if (i == 13) print "    ..." }
    ' "$step_log"
    say "    (all of it: $step_log)"
    return 1
}

# write_if_new FILE: stdin becomes FILE, which keeps its time stamp when nothing changed.
write_if_new() {
    cat >"$1.new"
    if cmp -s "$1.new" "$1"; then rm -f "$1.new"; else mv "$1.new" "$1"; fi
}
