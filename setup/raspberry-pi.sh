#!/usr/bin/env bash
# Makes a fresh Raspberry Pi OS (bookworm or trixie, 64 bit) into a crokinole table, and takes it off again:
#   sudo setup/raspberry-pi.sh [--name NAME] [--no-screen]   install, or bring up to date; may be run again at any time
#   sudo setup/raspberry-pi.sh --remove [--purge]            take it off; with --purge the matches and settings too
# --name       the table's name in the network: phones open http://NAME.local (crokinole)
# --no-screen  no browser on the table's own screen
# --root DIR   only write the files, below DIR, and say what else would be done
set -euo pipefail

name=crokinole screen=yes do=install purge="" root=""
usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }
fail() { echo "raspberry-pi.sh: $*" >&2; exit 2; }
while [ $# -gt 0 ]; do
    case $1 in
        --name) name=${2:?--name needs a name}; shift ;;
        --no-screen) screen= ;;
        --remove) do=remove ;;
        --purge) purge=yes ;;
        --root) root=${2:?--root needs a folder}; shift ;;
        -h | --help) usage; exit ;;
        *) usage >&2; fail "there is no option $1" ;;
    esac
    shift
done
[[ $name =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || fail "--name $name: small letters, digits and - only"
[ -z "$purge" ] || [ "$do" = remove ] || fail "--purge goes with --remove"

here=$(dirname "$(readlink -f "$0")")
checkout=$(dirname "$here")
program=/opt/crokinole-table
settings=/etc/crokinole-table
data=/var/lib/crokinole-table
screen_home=/var/lib/crokinole-screen
before=$settings/name-before # the computer's name, for --remove
units=(crokinole-table.service crokinole-screen.service)
declare -A installed=( # by file of files/
    [crokinole-table.service]=/etc/systemd/system/crokinole-table.service
    [crokinole-screen.service]=/etc/systemd/system/crokinole-screen.service
    [crokinole-table.rules]=/etc/udev/rules.d/70-crokinole-table.rules
    [avahi.xml]=/etc/avahi/services/crokinole-table.service
)

run() { if [ -n "$root" ]; then echo "would run: $*"; else "$@"; fi; }

# put FILE: from files/ to its place, unless it is there already
put() {
    local to=$root${installed[$1]}
    if ! cmp -s "$here/files/$1" "$to"; then
        install -D -m 644 "$here/files/$1" "$to"
        echo "wrote ${installed[$1]}"
    fi
}

check_system() {
    [ -n "$root" ] && return
    [ "$(id -u)" = 0 ] || fail "run it with sudo"
    # shellcheck source=/dev/null
    . /etc/os-release
    case ${VERSION_CODENAME:-} in
        bookworm | trixie) ;;
        *) fail "this is ${PRETTY_NAME:-an unknown system}; it needs Raspberry Pi OS bookworm or trixie" ;;
    esac
    [ "$(getconf LONG_BIT)" = 64 ] || fail "it needs the 64-bit Raspberry Pi OS"
}

add_packages() {
    # picamera2, lgpio and OpenCV are built for the Pi and for each other: pip's would not fit to the system's numpy
    local packages=(python3-venv python3-numpy python3-opencv python3-picamera2 python3-lgpio python3-gpiozero
        avahi-daemon)
    [ -z "$screen" ] || packages+=(cage "$(browser)")
    run apt-get update -qq
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
}

# Raspberry Pi OS bookworm calls it chromium-browser
browser() { if apt-cache show chromium >/dev/null 2>&1; then echo chromium; else echo chromium-browser; fi; }

add_program() {
    run python3 -m venv --system-site-packages "$program/venv"
    # everything but what the system's packages give
    local needed
    mapfile -t needed < <(python3 - "$checkout/pyproject.toml" <<'PYTHON'
import sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
needed = project["dependencies"] + project["optional-dependencies"]["flash"]
print(*(n for n in needed if not n.startswith(("numpy", "opencv"))), sep="\n")
PYTHON
    )
    run "$program/venv/bin/python" -m pip install --quiet --upgrade "${needed[@]}"
    run rm -rf "$checkout/build" # what an earlier version left there would be installed too
    run "$program/venv/bin/python" -m pip install --quiet --no-deps --force-reinstall "$checkout"
    run ln -sf "$program/venv/bin/crokinole-table" /usr/local/bin/crokinole-table
}

# add_user NAME HOME GROUP..: with those of the groups that there are
add_user() {
    local user=$1 home=$2 group
    shift 2
    id -u "$user" >/dev/null 2>&1 || run useradd --system --user-group --home-dir "$home" --shell /usr/sbin/nologin "$user"
    for group in "$@"; do
        if [ -n "$root" ] || getent group "$group" >/dev/null; then run usermod -aG "$group" "$user"; fi
    done
}

add_name() {
    local old
    old=$(cat "$root/etc/hostname" 2>/dev/null || echo raspberrypi)
    [ "$old" = "$name" ] && return
    [ -e "$root$before" ] || echo "$old" >"$root$before"
    set_name "$old" "$name"
}

set_name() {
    mkdir -p "$root/etc"
    echo "$2" >"$root/etc/hostname"
    [ -e "$root/etc/hosts" ] || echo "127.0.1.1 $1" >"$root/etc/hosts"
    sed -i "s/^\(127\.0\.1\.1[[:space:]]\+\)$1\$/\1$2/" "$root/etc/hosts"
    run hostnamectl set-hostname "$2"
    echo "the computer is called $2 now"
}

start() {
    run systemctl daemon-reload
    run udevadm control --reload
    run udevadm trigger --subsystem-match=tty
    run systemctl enable "$1"
    run systemctl restart "$1"
}

install_table() {
    add_packages
    add_user crokinole "$data" gpio dialout video
    mkdir -p "$root$settings"
    if [ ! -e "$root$settings/table.toml" ]; then
        install -m 644 "$here/files/table.toml" "$root$settings/table.toml"
        echo "wrote $settings/table.toml"
    fi
    add_program
    put crokinole-table.rules
    put avahi.xml
    put crokinole-table.service
    add_name
    start crokinole-table.service
    if [ -n "$screen" ]; then
        add_user crokinole-screen "$screen_home" video input render
        run install -d -o crokinole-screen -g crokinole-screen "$screen_home"
        put crokinole-screen.service
        start crokinole-screen.service
    fi
    echo "Ready. The scoreboard is at http://$name.local; the scorer's PIN: sudo journalctl -u crokinole-table -g PIN"
    echo "Say what is wired in $settings/table.toml, check with: sudo -u crokinole crokinole-table doctor --config" \
        "$settings/table.toml; then: sudo systemctl restart crokinole-table"
}

remove_table() {
    local unit file
    for unit in "${units[@]}"; do
        if [ -e "$root${installed[$unit]}" ]; then run systemctl disable --now "$unit"; fi
    done
    for file in "${!installed[@]}"; do rm -f "$root${installed[$file]}"; done
    run systemctl daemon-reload
    run rm -f /usr/local/bin/crokinole-table
    run rm -rf "$program" "$screen_home"
    if [ -e "$root$before" ]; then
        set_name "$(cat "$root/etc/hostname")" "$(cat "$root$before")"
        rm "$root$before"
    fi
    for user in crokinole crokinole-screen; do
        if id -u "$user" >/dev/null 2>&1; then run userdel "$user"; fi
    done
    if [ -n "$purge" ]; then
        rm -rf "$root$settings" "$root$data"
    else
        echo "The matches stay in $data and the settings in $settings; --purge takes them too."
    fi
    echo "Taken off. The packages that apt installed stay."
}

check_system
"${do}_table"
