# Sourced by the scripts that build Debian trees for the tests, once, outside the checkout. They are given the FOLDER for
# them as the first argument, and get from here: $here, $checkout, $folder, say, fresh, install_tools, mirror.
# shellcheck shell=bash disable=SC2034
here=$(dirname "$(readlink -f "$0")")
checkout=$(dirname "$(dirname "$here")")
mkdir -p "$1"
folder=$(readlink -f "$1")

say() { echo "test-$(basename "$here"): $*" >&2; }

# fresh NAME WHAT..: whether FOLDER/NAME was made of exactly this
fresh() { [ -e "$folder/$1" ] && [ "$(cat "$folder/$1.made-of" 2>/dev/null)" = "$2" ]; }

# install_tools PACKAGES..: on this computer, unless they are there
install_tools() {
    dpkg -s "$@" >/dev/null 2>&1 && return
    say "installing $*"
    apt-get -o Acquire::Retries=3 update -qq
    DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600 install -y -qq \
        --no-install-recommends "$@" >/dev/null
}

# this computer's own source of Debian's packages
mirror() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u | grep -m1 '/debian/$'; }
