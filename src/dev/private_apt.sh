# SPDX-License-Identifier: MIT
# An apt of our own for one suite: it neither needs root nor changes what the machine has installed.
# shellcheck shell=sh

# $LOOKBACK_DEBIAN_MIRROR, or the Debian mirror this machine already uses; apt itself reads its deb822 and one-line sources.
debian_mirror() {
    if [ -n "${LOOKBACK_DEBIAN_MIRROR:-}" ]; then
        printf '%s\n' "$LOOKBACK_DEBIAN_MIRROR"
        return
    fi
    # shellcheck disable=SC2016  # the format is apt's
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        grep -E '^(https?|ftp|file|mirror)[^ ]*/debian(\.list)?/?$' | head -n 1)
    if [ -z "$mirror" ]; then
        echo "This machine's apt knows no Debian mirror: set LOOKBACK_DEBIAN_MIRROR to the address of one." >&2
        return 1
    fi
    printf '%s\n' "$mirror"
}

# private_apt_open SUITE deb|deb-src: prints the configuration file for `apt-get -c`.
private_apt_open() {
    apt_home=$LOOKBACK_CACHE/apt/$1
    mkdir -p "$apt_home/state" "$apt_home/lists/partial" "$apt_home/cache/archives/partial"
    : >"$apt_home/status"
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -e "$keyring" ] || keyring=/usr/share/keyrings/debian-archive-keyring.pgp
    mirror_url=$(debian_mirror) || return 1
    printf '%s [signed-by=%s] %s %s main\n' "$2" "$keyring" "$mirror_url" "$1" >"$apt_home/sources.list"
    # Check-Valid-Until: a frozen mirror's release file is past its date, its signature still holds.
    # The clear lines keep the machine's own hooks from acting on our updates.
    cat >"$apt_home/apt.conf" <<EOF
Dir::State "$apt_home/state";
Dir::State::Lists "$apt_home/lists";
Dir::State::status "$apt_home/status";
Dir::Cache "$apt_home/cache";
Dir::Etc::sourcelist "$apt_home/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
EOF
    printf '%s\n' "$apt_home/apt.conf"
}
