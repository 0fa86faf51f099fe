#!/bin/sh
# The guest's first process. It starts on the host's files, read only; goes over to the Debian tree at $ROOT with the
# checkout at /checkout and, which can be written, $WORLD at /world and $COMPILED where Python keeps what it compiled;
# makes a Raspberry Pi of it, as far as programs can tell; and runs /world/run.sh.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
if [ -n "$ROOT" ]; then
    mount --bind "$ROOT" "$ROOT"
    mount --bind "$CHECKOUT" "$ROOT/checkout"
    mount -t hostfs none "$ROOT/world" -o "$WORLD"
    mount -t hostfs none "$ROOT/compiled" -o "$COMPILED"
    exec env ROOT= chroot "$ROOT" /checkout/tests/guest/init.sh
fi
export HOME=/run TMPDIR=/run LANG=C.UTF-8 LG_WD=/run TZ=UTC # without it, Babel looks through all zones there are
# Fresh memory costs the guest a hundred times what it costs a machine: what was freed is kept.
export MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=2000000000 OPENCV_FOR_THREADS_NUM=1
export MALLOC_PERTURB_=255 GLIBC_TUNABLES=glibc.malloc.tcache_count=0 # fresh memory is 0: see inside/virtual_picamera2.py
export PYTHONPATH=/checkout PYTHONPYCACHEPREFIX=/compiled PYTHONUNBUFFERED=1
mount -t devtmpfs none /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t configfs none /sys/kernel/config
mkdir -p /dev/pts /dev/shm
mount -t devpts none /dev/pts
mount -t tmpfs none /dev/shm
mount -t tmpfs none /run
if [ -e /dev/ubda ]; then mount -t ext4 /dev/ubda /disk; fi
if [ -e /dev/ubdb ]; then mount -t ext4 -o sync,dirsync /dev/ubdb /flash; fi # what a microcontroller writes stays
ln -s system /dev/dma_heap/linux,cma
ln -s /proc/self/fd /dev/fd
busybox ip link set lo up
cat >/run/cpuinfo <<'CPU'
processor	: 0
Hardware	: BCM2835
Revision	: c03115
Serial		: 10000000deadbeef
Model		: Raspberry Pi 4 Model B Rev 1.5
CPU
mount --bind /run/cpuinfo /proc/cpuinfo
cd /run || exit
sh /world/run.sh
echo "@@status $?"
cd /
umount /disk /flash 2>/dev/null
busybox poweroff -f
