#!/usr/bin/env bash
# Makes a fresh Raspberry Pi OS (bookworm or trixie, 64 bit) into a crokinole table, and takes it off again:
#   sudo setup/raspberry-pi.sh [--name NAME] [--no-screen]   install, or bring up to date; may be run again at any time
#   sudo setup/raspberry-pi.sh --club [--name NAME]          into a club's hub; on a table's Pi, beside the table
#   sudo setup/raspberry-pi.sh --remove [--purge]            take all of it off; with --purge the matches and settings too
# --name       the Pi's name in the network: phones open http://NAME.local (crokinole; crokinole-club for a hub alone)
# --no-screen  no browser on the table's own screen
# --root DIR   only write the files, below DIR, and say what else would be done
set -euo pipefail

name="" screen=yes club="" do=install purge="" root=""
usage() { sed -n '2,8s/^# \{0,1\}//p' "$0"; }
fail() { echo "raspberry-pi.sh: $*" >&2; exit 2; }
while [ $# -gt 0 ]; do
    case $1 in
        --name) name=${2:?--name needs a name}; shift ;;
        --no-screen) screen= ;;
        --club) club=yes ;;
        --remove) do=remove ;;
        --purge) purge=yes ;;
        --root) root=${2:?--root needs a folder}; shift ;;
        -h | --help) usage; exit ;;
        *) usage >&2; fail "there is no option $1" ;;
    esac
    shift
done
[ -z "$name" ] || [[ $name =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || fail "--name $name: small letters, digits and - only"
[ -z "$purge" ] || [ "$do" = remove ] || fail "--purge goes with --remove"

here=$(dirname "$(readlink -f "$0")")
checkout=$(dirname "$here")
program=/opt/crokinole-table # two environments, a and b; `current` is a link to the one that runs
settings=/etc/crokinole-table
data=/var/lib/crokinole-table
screen_home=/var/lib/crokinole-screen
before=$settings/name-before # the computer's name, for --remove
cloud=/etc/cloud/cloud-init.disabled # keeps cloud-init off, see add_name
voice=/etc/speech-dispatcher/speechd.conf
club_data=/var/lib/crokinole-club
units=(crokinole-club.service crokinole-table.service crokinole-screen.service)
declare -A installed=( # by file of files/
    [crokinole-table.service]=/etc/systemd/system/crokinole-table.service
    [crokinole-club.service]=/etc/systemd/system/crokinole-club.service
    [crokinole-screen.service]=/etc/systemd/system/crokinole-screen.service
    [crokinole-table.rules]=/etc/udev/rules.d/70-crokinole-table.rules
    [avahi.xml]=/etc/avahi/services/crokinole-table.service
)

has() { [ -e "$root${installed[$1.service]}" ]; }

# Which programs this Pi runs: those that it has, and the one that is asked for.
services=()
if [ -z "$club" ] || has crokinole-table; then services+=(crokinole-table); else screen=; fi
if [ -n "$club" ] || has crokinole-club; then services+=(crokinole-club); fi
runs() { [[ " ${services[*]} " == *" $1 "* ]]; }
if [ -z "$name" ]; then if runs crokinole-table; then name=crokinole; else name=crokinole-club; fi; fi

run() { if [ -n "$root" ]; then echo "would run: $*"; else "$@"; fi; }

# put FOLDER FILE: from the folder to its place, unless it is there already
put() {
    local to=$root${installed[$2]}
    if ! cmp -s "$1/$2" "$to"; then
        install -D -m 644 "$1/$2" "$to"
        echo "wrote ${installed[$2]}"
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
    [ "$(findmnt --noheadings --output FSTYPE /)" != overlay ] || fail "the overlay file system is on: what is written" \
        "now would be gone after a restart. Switch it off (sudo raspi-config nonint do_overlayfs 1), restart, try again"
}

add_packages() {
    run apt-get update -qq || echo "The lists of packages could not be renewed; those of the last time are used."
    # picamera2, lgpio and OpenCV are built for the Pi and for each other: pip's would not fit to the system's numpy
    local packages=(python3-venv python3-numpy python3-opencv avahi-daemon)
    ! runs crokinole-table || packages+=(python3-picamera2 python3-lgpio python3-gpiozero)
    # cage ends without Xwayland, which it only recommends; the browser's voice is speech-dispatcher's, and that has none of its own
    [ -z "$screen" ] || packages+=(cage xwayland "$(browser)" speech-dispatcher speech-dispatcher-espeak-ng)
    # one process for all, so that nothing is installed when something can't be had; it waits for another that installs
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y -o DPkg::Lock::Timeout=600 \
        --no-install-recommends "${packages[@]}" ||
        fail "the system's packages can't be fetched: connect the Pi to a network. Nothing of the table was changed"
}

# Raspberry Pi OS bookworm calls it chromium-browser
browser() { if apt-cache show chromium >/dev/null 2>&1; then echo chromium; else echo chromium-browser; fi; }

# requirements TABLE: those of pyproject.toml, but for what the system's packages give
requirements() { python3 "$here/requirements.py" "$checkout/pyproject.toml" "$1"; }

# make_environment NAME: the program with all that it needs, beside the environment that runs. What is fetched are the
# versions that were tested, with their hashes (`make lock`), without numpy, which is the system's; it is kept in wheels/,
# so that without a network a new version can be installed that needs nothing new.
make_environment() {
    local to=$program/$1 needed pip
    mapfile -t needed < <(requirements run)
    pip=("$to/bin/python" -m pip --quiet --disable-pip-version-check)
    run rm -rf "$to" "$program/fetched"
    run python3 -m venv --system-site-packages "$to" || return
    if run "${pip[@]}" --retries 2 wheel --wheel-dir "$program/fetched" --no-deps --require-hashes \
        --requirement "$checkout/requirements/pi.txt"; then
        run rm -rf "$program/wheels"
        run mv "$program/fetched" "$program/wheels"
    else
        echo "Nothing could be fetched for Python; what an earlier installation has fetched is used."
    fi
    run cp -r "$here/files" "$to/files" # to come back to it with the files that fit
    run mkdir "$to/source"              # a copy, so that the checkout stays clean
    run cp -r "$checkout"/{pyproject.toml,README.md,LICENSE,hardware,firmware_bridge,controller,web_ui} "$to/source"
    pip+=(install --no-index --find-links "$program/wheels")
    run "${pip[@]}" --upgrade "${needed[@]}" && run "${pip[@]}" --no-deps "$to/source" || return
    run rm -rf "$to/source"
    # what can't be imported can't start; -I: not this folder's
    run "$to/bin/python" -I -c "import controller.service, controller.club.command"
}

# use_environment NAME: from now on; fails when the table does not start with it
use_environment() {
    local files=$program/$1/files service
    [ -z "$root" ] || files=$here/files
    if runs crokinole-table; then put "$files" crokinole-table.rules && put "$files" avahi.xml || return; fi
    for service in "${services[@]}"; do put "$files" "$service.service" || return; done
    run ln -sfn "$1" "$program/current" &&
        run ln -sf "$program/current/bin/crokinole-table" /usr/local/bin/crokinole-table || return
    for service in "${services[@]}"; do start "$service.service" || return; done
}

# keep_matches NAME: a backup by this environment's program, before it runs; what a program left here that this Pi does
# not run any more, nothing will change
keep_matches() {
    [ -z "$root" ] || return 0
    if runs crokinole-club && [ -e "$club_data/club.sqlite" ]; then
        runuser -u crokinole-club -- "$program/$1/bin/python" -I -c 'import sqlite3, sys
source, copy = map(sqlite3.connect, sys.argv[1:])
source.backup(copy)' "$club_data/club.sqlite" "$club_data/club-before-update.sqlite" || return
    fi
    if ! runs crokinole-table || [ ! -e "$data/journal.sqlite" ]; then return 0; fi
    runuser -u crokinole -- "$program/$1/bin/crokinole-table" backup --before-update --config "$settings/table.toml"
}

# The new version runs, or the one before runs on.
add_program() {
    local old new=a
    old=$(readlink "$root$program/current" || true)
    [ "$old" != a ] || new=b
    if ! make_environment "$new"; then
        run rm -rf "${program:?}/$new"
        fail "this version can't be installed: see above; without a network, connect the Pi to one." \
            "${old:+What is installed runs on as it was.}"
    fi
    if ! keep_matches "$new"; then
        run rm -rf "${program:?}/$new"
        fail "no backup of the matches could be written, so nothing was changed: see above"
    fi
    if ! use_environment "$new"; then
        echo "What it said: sudo journalctl ${services[*]/#/-u }" >&2
        [ -n "$old" ] || fail "the program does not start"
        use_environment "$old" || fail "the program starts neither with this version nor with the one before"
        fail "the program does not start with this version; the one before runs again"
    fi
    [ -z "$old" ] || run rm -rf "${program:?}/$old"
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
    # trixie's cloud-init resets the computer's name to the Imager's at each start
    if [ -d "$root/etc/cloud" ] && [ ! -e "$root$cloud" ]; then
        echo "by the set-up of the crokinole table: the computer keeps its name" >"$root$cloud"
        echo "cloud-init is off from now on; --remove switches it on again"
    fi
}

# What the screen's browser speaks through asks for PulseAudio, which the Lite system has not; ALSA is there with it and without.
add_voice() {
    grep -qs "^AudioOutputMethod" "$root$voice" ||
        run sed -i '$a # for the screen of the crokinole table\nAudioOutputMethod "alsa"' "$voice"
}

set_name() {
    mkdir -p "$root/etc"
    echo "$2" >"$root/etc/hostname"
    [ -e "$root/etc/hosts" ] || echo "127.0.1.1 $1" >"$root/etc/hosts"
    # each whole word: cloud-init writes the name twice
    sed -i ":again; /^127\.0\.1\.1[[:space:]]/s/\([[:space:]]\)$1\([[:space:]]\|\$\)/\1$2\2/; t again" "$root/etc/hosts"
    run hostnamectl set-hostname "$2"
    run systemctl try-restart avahi-daemon.service # it announces the name that it found when it started
    echo "the computer is called $2 now"
}

# restart UNIT: trixie's systemd may remove what it has just made for a unit, and then fails to start it, once:
# https://github.com/systemd/systemd/issues/41278
restart() { run systemctl restart "$1" || run systemctl start "$1"; }

start() { run systemctl daemon-reload && run systemctl enable --quiet "$1" && restart "$1"; }

name_unit() {
    run udevadm control --reload && run udevadm trigger --subsystem-match=tty ||
        echo "The hole's unit gets its name /dev/crokinole-hole when the Pi is restarted."
}

# first_settings FILE: those that are there stay
first_settings() {
    [ ! -e "$root$settings/$1" ] || return 0
    install -D -m 644 "$here/files/$1" "$root$settings/$1"
    echo "wrote $settings/$1"
}

# the table has port 80 where there is one
hub_port() { sed -n 's/^port = \([0-9]*\).*/\1/p' "$root$settings/club.toml"; }
first_club_settings() {
    [ ! -e "$root$settings/club.toml" ] || return 0
    first_settings club.toml
    ! runs crokinole-table || sed -i 's/^port = 80 /port = 8000 /' "$root$settings/club.toml"
}

install_table() {
    add_packages
    mkdir -p "$root$settings"
    if runs crokinole-table; then
        add_user crokinole "$data" gpio dialout video
        first_settings table.toml
    fi
    if runs crokinole-club; then
        add_user crokinole-club "$club_data"
        first_club_settings
    fi
    add_program
    ! runs crokinole-table || name_unit
    add_name
    if [ -n "$screen" ]; then
        add_user crokinole-screen "$screen_home" video input render audio
        run install -d -o crokinole-screen -g crokinole-screen "$screen_home"
        add_voice
        put "$here/files" crokinole-screen.service
        start crokinole-screen.service
    fi
    ! runs crokinole-table || say_table
    ! runs crokinole-club || say_club
}

say_table() {
    echo "Ready. The scoreboard is at http://$name.local; the scorer's PIN: sudo journalctl -u crokinole-table -g PIN"
    echo "Say what is wired in $settings/table.toml; then stop the table, look, and start it again:" \
        "sudo systemctl stop crokinole-table; sudo -u crokinole crokinole-table doctor --config $settings/table.toml;" \
        "sudo systemctl start crokinole-table"
    local camera
    for camera in "$root"/dev/v4l/by-id/usb-*-video-index0; do
        [ ! -e "$camera" ] || echo "A USB camera is plugged in; for it, write: device = \"usb:${camera#"$root"}\""
    done
}

say_club() {
    local port
    port=$(hub_port)
    [ "$port" = 80 ] && port="" || port=:$port
    echo "Ready. The organiser's desk is at http://$name.local$port/organiser; its first password:" \
        "sudo journalctl -u crokinole-club -g password"
    echo "Give the club its name and its id in $settings/club.toml, then: sudo systemctl restart crokinole-club"
}

# remove_user NAME: with its session, which outlives the screen's service by some seconds
remove_user() {
    local uid
    uid=$(id -u "$1" 2>/dev/null) || return 0
    run systemctl stop "user-$uid.slice"
    run userdel "$1"
}

remove_table() {
    local unit file
    for unit in "${units[@]}"; do
        if [ -e "$root${installed[$unit]}" ]; then run systemctl disable --now "$unit"; fi
    done
    for file in "${!installed[@]}"; do rm -f "$root${installed[$file]}"; done
    run systemctl daemon-reload
    run rm -f /usr/local/bin/crokinole-table
    remove_user crokinole-screen
    remove_user crokinole
    remove_user crokinole-club
    run rm -rf "$program" "$screen_home"
    if [ -e "$root$before" ]; then
        set_name "$(cat "$root/etc/hostname")" "$(cat "$root$before")"
        rm "$root$before"
    fi
    if grep -qs "crokinole table" "$root$voice"; then sed -i '/^# for the screen of the crokinole/,+1d' "$root$voice"; fi
    if grep -qs "^by the set-up of the crokinole table" "$root$cloud"; then rm "$root$cloud"; fi
    if [ -n "$purge" ]; then
        rm -rf "$root$settings" "$root$data" "$root$club_data"
    else
        echo "The matches stay in $data and $club_data, and the settings in $settings; --purge takes them too."
    fi
    echo "Taken off. The packages that apt installed stay."
}

check_system
"${do}_table"
