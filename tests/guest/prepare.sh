#!/usr/bin/env bash
# What the tests in a guest kernel need, built once outside the checkout: prepare.sh FOLDER  (Debian 12, as root)
#   FOLDER/linux   User-Mode Linux (a kernel that runs as a program) from Debian's source and kernel.config: 5 minutes
#   FOLDER/root    a Debian 13 tree with libcamera, picamera2, lgpio and what the table depends on: 2 minutes
# Each is built again only when what it is made of has changed.
set -euo pipefail
# shellcheck source=tests/debian_trees.sh
. "$(dirname "$(readlink -f "$0")")/../debian_trees.sh"

kernel_source=linux-source-6.1
tick=250  # Hz, as Raspberry Pi OS's kernel has it; edges of gpio-sim come with the tick
extended_state=12288  # bytes; each nested signal keeps one on the kernel's stack, hence KERNEL_STACK_ORDER=5
tools=("$kernel_source" build-essential flex bison bc xz-utils libelf-dev mmdebstrap e2fsprogs)

release=trixie
root_packages=(python3 python3-libcamera libcamera-ipa python3-pil python3-prctl python3-piexif python3-jsonschema
    python3-tqdm python3-libarchive-c micropython busybox-static)
device_wheels=(picamera2==0.3.38 simplejpeg==1.9.0 videodev2==0.0.4 openexr==3.5.3 av==18.1.0 gpiozero==2.0.1.post3 colorzero==2.0)
test_wheels=(pytest pytest-timeout hypothesis)
foreign=(--python-version 3.13 --implementation cp --abi cp313 --abi abi3 --abi none --only-binary=:all:
    --platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 --platform any)

build_kernel() {
    local scratch option
    scratch=$(mktemp -d "$folder/kernel.XXXX")
    say "building the kernel"
    tar -C "$scratch" -xf "/usr/src/$kernel_source.tar.xz"
    sed -i "/^config HZ/,/default/s/default .*/default $tick/" "$scratch/$kernel_source/arch/um/Kconfig"
    # without PCI it has no interrupts left over for the pins of gpio-sim
    sed -i 's/^#define NR_IRQS.*/#define NR_IRQS (UM_LAST_SIGNAL_IRQ + 64)/' \
        "$scratch/$kernel_source/arch/um/include/asm/irq.h"
    # it saves a processor's extended state in 2,696 bytes; with AMX (Sapphire Rapids and later) that takes 11,008
    sed -i "s/HOST_FP_SIZE, 2696/HOST_FP_SIZE, $extended_state/" "$scratch/$kernel_source/arch/x86/um/user-offsets.c"
    local make=(make -s -C "$scratch/$kernel_source" ARCH=um O="$scratch/out" -j"$(nproc)")
    "${make[@]}" KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig >/dev/null
    while read -r option; do
        grep -qx "$option" "$scratch/out/.config" || { say "the kernel refuses $option"; return 1; }
    done <"$here/kernel.config"
    "${make[@]}" linux >"$folder/kernel.log" 2>&1 || { tail "$folder/kernel.log" >&2; return 1; }
    strip -o "$folder/linux" "$scratch/out/linux"
    rm -rf "$scratch"
}

build_root() {
    local root=$folder/root packages=$folder/root/usr/local/lib/python3.13/dist-packages
    say "making the Debian tree"
    rm -rf "$root"
    local include
    include=$(IFS=,; echo "${root_packages[*]}")
    mmdebstrap --quiet --variant=minbase --include="$include" --aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --customize-hook='chroot "$1" sh -c "cd /tmp && apt-get -qq download libpython3.13-dev"' \
        --customize-hook='dpkg-deb --fsys-tarfile "$1"/tmp/libpython3.13-dev*.deb | tar -C "$1" -x ./usr/include' \
        --customize-hook='rm "$1"/tmp/*.deb' \
        "$release" "$root" "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $release main"
    mkdir -p "$packages"
    local pip=("$checkout/.venv/bin/python" -m pip install -q --no-compile --target "$packages" "${foreign[@]}")
    "${pip[@]}" "${test_wheels[@]}" "${dependencies[@]}"
    "${pip[@]}" --no-deps "${device_wheels[@]}"
    stand_ins "$packages"
    build_lgpio "$packages" "$root/usr/include"
    mkdir -p "$root"/{checkout,world,compiled,disk,flash}
}

# picamera2 imports what only previews and raw files need, and what has no wheels
stand_ins() {
    cat >"$1/pykms.py" <<'PYTHON'
class _Any:
    def __getattr__(self, name): return _Any()
    def __call__(self, *_, **__): raise RuntimeError("no DRM here")
def __getattr__(name):
    if name.startswith("__"): raise AttributeError(name)
    return _Any()
PYTHON
    mkdir -p "$1/pidng"
    touch "$1/pidng/__init__.py"
    echo 'class Picamera2Camera: pass' >"$1/pidng/camdefs.py"
    echo 'class PICAM2DNG: pass' >"$1/pidng/core.py"
}

# lgpio has no wheel for Python 3.13, and Debian, unlike Raspberry Pi OS, has no package of it
build_lgpio() {
    local scratch
    scratch=$(mktemp -d "$folder/lgpio.XXXX")
    "$checkout/.venv/bin/python" -m pip install -q --target "$scratch/swig" 'swig<4.3'
    "$checkout/.venv/bin/python" -m pip download -q --no-deps --no-binary :all: -d "$scratch" lgpio==0.2.2.0
    tar -C "$scratch" -xf "$scratch/lgpio-0.2.2.0.tar.gz"
    (
        cd "$scratch/lgpio-0.2.2.0"
        PYTHONPATH=$scratch/swig python3 "$scratch/swig/bin/swig" -python lgpio.i
        gcc -O2 -w -shared -fPIC -pthread -Isrc -I"$2/python3.13" -idirafter "$2" \
            -o "$1/_lgpio.cpython-313-x86_64-linux-gnu.so" lgpio_wrap.c src/lg*.c src/rgpiod.c
        cp lgpio.py "$1"
    )
    rm -rf "$scratch"
}

mapfile -t dependencies < <("$checkout/.venv/bin/python" -c '
import sys, tomllib
print(*tomllib.load(open(sys.argv[1], "rb"))["project"]["dependencies"], sep="\n")' "$checkout/pyproject.toml")
kernel_of=$({ declare -f build_kernel; echo "$kernel_source $tick $extended_state"; cat "$here/kernel.config"; } | sha256sum)
root_of=$({ declare -f build_root stand_ins build_lgpio
    echo "$release" "${root_packages[@]}" "${device_wheels[@]}" "${test_wheels[@]}" "${dependencies[@]}"; } | sha256sum)

exec 9>"$folder/lock"
flock 9  # another one may be at it
if fresh linux "$kernel_of" && fresh root "$root_of"; then exit; fi
rm -rf "$folder"/{kernel,lgpio}.????  # of one that was interrupted
install_tools "${tools[@]}"
root_job=
if ! fresh root "$root_of"; then
    build_root &  # mostly waits for the network, while the kernel is compiled
    root_job=$!
fi
if ! fresh linux "$kernel_of"; then
    build_kernel
    echo "$kernel_of" >"$folder/linux.made-of"
fi
if [ -n "$root_job" ]; then
    wait "$root_job"
    echo "$root_of" >"$folder/root.made-of"
fi
