#!/usr/bin/env bash
# Makes a Raspberry Pi OS image (bookworm or trixie, 64 bit, Lite is enough) into one that installs the table by itself
# when the Pi is first switched on, by raspberry-pi.sh. The Pi needs the internet then, once. On Linux:
#   setup/make-image.sh [OPTIONS] STOCK.img[.xz] READY.img   a new image from a stock one, and for the Imager what it is
#   sudo setup/make-image.sh [OPTIONS] /dev/CARD             a card that the Imager has just written
# --name NAME      the table's name in the network (default: the name entered in the Imager, or crokinole)
# --no-screen      no browser on the table's own screen
# --settings FILE  the table's settings, in place of setup/files/table.toml
# Nothing is mounted and nothing of the image is run. The same stock image and the same commit give the same bytes.
set -euo pipefail

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
fail() { echo "make-image.sh: $*" >&2; exit 2; }
options=() given=() settings=""
while [ $# -gt 0 ]; do
    case $1 in
        --name)
            [[ ${2:-} =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] || fail "--name ${2:-}: small letters, digits and - only"
            options+=(--name "$2")
            shift ;;
        --no-screen) options+=(--no-screen) ;;
        --settings)
            settings=${2:?--settings needs a file}
            python3 -c 'import sys, tomllib; tomllib.load(open(sys.argv[1], "rb"))' "$settings" || fail "$settings is no TOML file"
            shift ;;
        -h | --help) usage; exit ;;
        -*) usage >&2; fail "there is no option $1" ;;
        *) given+=("$1") ;;
    esac
    shift
done

PATH=$PATH:/usr/sbin:/sbin # Debian's users do not have debugfs in theirs
here=$(dirname "$(readlink -f "$0")")
checkout=$(dirname "$here")
source=/usr/local/src/crokinole-table # the program on the card, for raspberry-pi.sh
unit=crokinole-table-first-boot.service
units=/etc/systemd/system
for tool in debugfs:e2fsprogs e2fsck:e2fsprogs partx:util-linux git:git; do
    command -v "${tool%:*}" >/dev/null || fail "${tool%:*} is missing: sudo apt install ${tool#*:}"
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# copy STOCK READY: unpacked
copy() {
    [ -f "$1" ] || fail "there is no image $1"
    [ ! -e "$2" ] || fail "$2 is there already: name another file"
    trap 'rm -rf "$scratch" "$image"' EXIT # READY is whole, or not there
    case $1 in
        *.xz)
            command -v xz >/dev/null || fail "xz is missing: sudo apt install xz-utils"
            xz --decompress --stdout "$1" >"$2" || fail "$1 can't be unpacked: download it again" ;;
        *) cp --sparse=always "$1" "$2" ;;
    esac
}

# open_card: only a card that nobody uses
open_card() {
    [ -b "$image" ] || fail "$image is no card: name a stock image and a new file, or a card such as /dev/sdb"
    [ -w "$image" ] || fail "$image can't be written: run it with sudo"
    [ -z "$(lsblk --noheadings --output MOUNTPOINTS "$image" | tr -d '[:space:]')" ] ||
        fail "$image is in use: unmount all that is on it"
}

# find_root: where in the image the root file system is, for the tools of ext4
find_root() {
    local start
    start=$(partx --show --noheadings --output START --nr 2 "$image" 2>/dev/null | tr -d '[:space:]') || true
    [ -n "$start" ] || fail "$image has no second partition: it is no image of Raspberry Pi OS"
    root="$image?offset=$((start * 512))"
    debugfs -R "stat /" "$root" 2>"$scratch/said" | grep -q '^Inode:' && return
    cat "$scratch/said" >&2
    fail "$image can't be read: see above. It is no image of Raspberry Pi OS, or this computer's e2fsprogs is too old for it"
}

# look WHAT: what debugfs says
look() { debugfs -R "$1" "$root" 2>/dev/null; }

exists() { look "stat $1" | grep -q '^Inode:'; }

check_system() {
    local release codename
    release=$(look "cat /usr/lib/os-release")
    codename=$(sed -n 's/^VERSION_CODENAME=//p' <<<"$release")
    case $codename in
        bookworm | trixie) ;;
        *) fail "$image is no Raspberry Pi OS bookworm or trixie" ;;
    esac
    # the 32-bit one says ID=raspbian
    grep -q '^ID=debian$' <<<"$release" || fail "$image is not the 64-bit Raspberry Pi OS"
    ! exists "$source" || fail "the table is on $image already: begin with a fresh one"
    e2fsck -fn "$root" >"$scratch/check" 2>&1 || fail "$image is damaged: download or write it again"
}

# stage: below $scratch/root what is to be added, as it will lie on the card
stage() {
    local to=$scratch/root
    mkdir -p "$to$source" "$to$units/multi-user.target.wants"
    git -C "$checkout" ls-files -z -- . ':!tests' ':!docs' >"$scratch/names" || fail "$checkout is no git checkout: clone it"
    tar --create --directory "$checkout" --null --files-from "$scratch/names" |
        tar --extract --directory "$to$source" --no-same-permissions
    sed "s|@OPTIONS@|${options[*]}|" "$here/first-boot.service" >"$to$units/$unit"
    ln -s "../$unit" "$to$units/multi-user.target.wants/$unit"
    # raspberry-pi.sh leaves settings that are there
    [ -z "$settings" ] || install -D -m 644 "$settings" "$to/etc/crokinole-table/table.toml"
}

# commands: what debugfs is to do, so that the staged files are root's on the card
commands() {
    local path name place mode
    (cd "$scratch/root" && find . -mindepth 1 -printf '%P\n') | LC_ALL=C sort | while read -r path; do
        name=${path##*/}
        place=/${path%"$name"}
        place=${place%/}
        if [ -L "$scratch/root/$path" ]; then
            echo "cd ${place:-/}"
            echo "symlink $name $(readlink "$scratch/root/$path")"
        elif [ -d "$scratch/root/$path" ]; then
            exists "/$path" || printf 'cd %s\nmkdir %s\nsif %s mode 040755\n' "${place:-/}" "$name" "$name"
        else
            mode=0100644
            [ ! -x "$scratch/root/$path" ] || mode=0100755
            printf 'cd %s\nwrite "%s" %s\n' "${place:-/}" "$scratch/root/$path" "$name"
            printf "sif $name %s\n" "mode $mode" "uid 0" "gid 0"
        fi
    done
}

# add: the staged files; debugfs reports errors only on its standard error
add() {
    commands >"$scratch/commands"
    E2FSPROGS_FAKE_TIME=$(git -C "$checkout" log -1 --format=%ct) debugfs -w -f "$scratch/commands" "$root" \
        >/dev/null 2>"$scratch/said" || true
    grep -v '^debugfs 1\.' "$scratch/said" >&2 && fail "$image could not be changed: see above"
    sync "$image"
}

# prove: what is read back is what was staged, and the file system is sound
prove() {
    e2fsck -fn "$root" >"$scratch/check" 2>&1 || { cat "$scratch/check" >&2; fail "$image is damaged: write it again"; }
    mkdir "$scratch/back"
    look "rdump $source $scratch/back" >/dev/null
    diff -r "$scratch/root$source" "$scratch/back/crokinole-table" >&2 || fail "$image does not hold what was written to it"
    look "cat $units/$unit" | diff "$scratch/root$units/$unit" - >&2 || fail "$image does not hold the service's unit"
    exists "$units/multi-user.target.wants/$unit" || fail "$image does not start the service"
}

# write_manifest: for the Imager, version 2, which offers name, Wi-Fi and user only if it knows the image's kind
# (doc/os_customisation_formats.md of raspberrypi/rpi-imager): cloud-init where that is in it, as on newer trixie
write_manifest() {
    local manifest=${image%.img}.rpi-imager-manifest format=systemd
    ! exists /usr/bin/cloud-init || format=cloudinit-rpi
    python3 - "$image" "$format" "$(git -C "$checkout" log -1 --format=%cs)" >"$manifest" <<'PYTHON'
import hashlib, json, pathlib, sys

image, init_format, day = sys.argv[1:]
path = pathlib.Path(image).resolve()
size = path.stat().st_size
with path.open("rb") as file:
    digest = hashlib.file_digest(file, "sha256").hexdigest()
entry = {
    "name": "Crokinole table", "description": "Raspberry Pi OS that installs the crokinole table at its first start",
    "icon": "icons/use_custom.png", "url": path.as_uri(), "release_date": day, "extract_size": size,
    "extract_sha256": digest, "image_download_size": size, "image_download_sha256": digest, "init_format": init_format,
    "devices": ["pi5-64bit", "pi4-64bit", "pi3-64bit"],
}
print(json.dumps({"os_list": [entry]}, indent=1))
PYTHON
    echo "For Raspberry Pi Imager 2: open $manifest as its content repository; then it asks for name, Wi-Fi and user."
}

case ${#given[@]} in
    1) image=${given[0]}; open_card ;;
    2) image=${given[1]}; copy "${given[@]}" ;;
    *) usage >&2; fail "name a stock image and the new one, or a card" ;;
esac
find_root
check_system
stage
add
prove
trap 'rm -rf "$scratch"' EXIT
[ ${#given[@]} -ne 2 ] || write_manifest
echo "Ready: $image. When the Pi is first switched on with it, in a network with the internet, it installs the table."
