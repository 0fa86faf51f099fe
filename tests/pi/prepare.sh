#!/usr/bin/env bash
# Debian trees that stand for Raspberry Pi OS, made once outside the checkout: prepare.sh FOLDER SUITE..  (as root)
#   FOLDER/bookworm, FOLDER/trixie  a Pi as the imager leaves it: a user who may use sudo, Python, avahi, no table
#   FOLDER/arm64                    trixie for arm64, with what the program needs, to be run by qemu's emulation
# Each is made again only when what it is made of has changed. 1 to 5 minutes a tree, 0.4 to 1.5 GB.
set -euo pipefail
# shellcheck source=tests/debian_trees.sh
. "$(dirname "$(readlink -f "$0")")/../debian_trees.sh"
shift

tools=(mmdebstrap debian-archive-keyring systemd-container slirp4netns iproute2)
emulator=(qemu-user-static)
pi_packages=(systemd-sysv udev dbus sudo ca-certificates iproute2 libpam-systemd libnss-mdns python3 kmod procps curl git
    avahi-daemon avahi-utils)
cloud_packages=(cloud-init) # trixie's Raspberry Pi OS gets its name and its user from it
arm64_packages=(python3 python3-numpy python3-opencv)

# tree NAME SUITE ARCHITECTURE VARIANT PACKAGES..: with the variant extract they are unpacked only
tree() {
    local name=$1 suite=$2 architecture=$3 variant=$4 include
    shift 4
    include=$(IFS=,; echo "$*")
    rm -rf --one-file-system "${folder:?}/$name"
    # in a namespace of its own, so that no mount outlives it
    unshare --mount mmdebstrap --quiet --variant="$variant" --architectures="$architecture" --include="$include" \
        --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt=force-unsafe-io \
        "$suite" "$folder/$name" \
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main"
}

make_pi() {
    local root=$folder/$1 packages=("${pi_packages[@]}")
    [ "$1" != trixie ] || packages+=("${cloud_packages[@]}")
    tree "$1" "$1" amd64 minbase "${packages[@]}"
    "$checkout/.venv/bin/python" "$here/stand_ins.py" "$root/srv/stand-ins"
    echo 'deb [trusted=yes] file:/srv/stand-ins ./' >"$root/etc/apt/sources.list.d/stand-ins.list"
    printf 'Package: *\nPin: origin ""\nPin-Priority: 1001\n' >"$root/etc/apt/preferences.d/stand-ins"
    chroot "$root" useradd --create-home --shell /bin/bash technician
    echo 'technician ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/technician" # as Raspberry Pi OS has it
    echo raspberrypi >"$root/etc/hostname"
    printf '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n' >"$root/etc/hosts"
    [ "$1" != trixie ] || give_to_cloud_init "$root"
    rm -f "$root/etc/resolv.conf"
    echo 'nameserver 10.0.2.3' >"$root/etc/resolv.conf" # slirp4netns answers there
    systemctl --root="$root" --quiet mask apt-daily.timer apt-daily-upgrade.timer
    mkdir -p "$root/etc/systemd/system/crokinole-screen.service.d"
    "$checkout/.venv/bin/python" -c 'from tests.pi.stand_ins import SCREEN; print(SCREEN)' \
        >"$root/etc/systemd/system/crokinole-screen.service.d/no-graphics.conf"
}

# give_to_cloud_init ROOT: as pi-gen and the Imager leave it; the network is the tests' own
give_to_cloud_init() {
    mkdir -p "$1/boot/firmware"
    printf 'datasource_list: [ NoCloud, None ]\ndatasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware/\n' \
        >"$1/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg"
    printf 'network:\n  config: disabled\n' >"$1/etc/cloud/cloud.cfg.d/99_network.cfg"
    echo 'instance-id: rpios-image' >"$1/boot/firmware/meta-data"
    printf '#cloud-config\nhostname: raspberrypi\nmanage_etc_hosts: true\n' >"$1/boot/firmware/user-data"
}

make_arm64() {
    tree arm64 trixie arm64 extract "${arm64_packages[@]}" # emulated, the packages' own scripts would take long
    cp /usr/bin/qemu-aarch64-static "$folder/arm64/usr/bin"
    local pip=("$checkout/.venv/bin/python" -m pip install --quiet --no-compile --only-binary=:all:
        --python-version 3.13 --implementation cp --abi cp313 --abi abi3 --abi none --target "$folder/arm64/opt/packages")
    local platform
    for platform in manylinux_2_28 manylinux_2_17 manylinux2014; do pip+=(--platform "${platform}_aarch64"); done
    "${pip[@]}" --platform any "${dependencies[@]}"
}

mapfile -t dependencies < <("$checkout/.venv/bin/python" -c '
import sys, tomllib
needed = tomllib.load(open(sys.argv[1], "rb"))["project"]["dependencies"]
print(*(name for name in needed if not name.startswith(("numpy", "opencv"))), sep="\n")' "$checkout/pyproject.toml")

cd "$checkout"
exec 9>"$folder/lock"
flock 9 # another one may be at it
install_tools "${tools[@]}"
for name in "$@"; do
    case $name in
        arm64)
            install_tools "${emulator[@]}"
            made_of=$({ declare -f tree make_arm64; echo "${arm64_packages[@]}" "${dependencies[@]}"; } | sha256sum) make=make_arm64 ;;
        *)
            made_of=$({ declare -f tree make_pi give_to_cloud_init; echo "$name" "${pi_packages[@]}" "${cloud_packages[@]}"; cat "$here/stand_ins.py"; } | sha256sum)
            make=make_pi ;;
    esac
    fresh "$name" "$made_of" && continue
    say "making the tree $name"
    rm -f "$folder/$name.made-of"
    "$make" "$name"
    echo "$made_of" >"$folder/$name.made-of"
done
