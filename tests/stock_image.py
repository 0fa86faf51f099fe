"""A disk image such as Raspberry Pi publishes: a partition table, a boot partition, a root file system of type ext4."""

import struct
import subprocess

SECTOR = 512
BOOT_AT, BOOT_SECTORS = 16_384, 8_192
ROOT_AT = BOOT_AT + BOOT_SECTORS
FAT32, LINUX = 0x0C, 0x83  # types of partitions


def make(image, tree, megabytes, boot):
    """Write the image: `boot` fills the first partition from its start, `tree` the root of that many megabytes."""
    sectors = megabytes * 2048
    with image.open("wb") as out:
        out.truncate((ROOT_AT + sectors) * SECTOR)
        out.seek(446)
        for start, length, kind in ((BOOT_AT, BOOT_SECTORS, FAT32), (ROOT_AT, sectors, LINUX)):
            out.write(struct.pack("<4xB3xII", kind, start, length))
        out.seek(SECTOR - 2)
        out.write(b"\x55\xaa")
        out.seek(BOOT_AT * SECTOR)
        out.write(boot)
    make_root = ["/sbin/mke2fs", "-q", "-t", "ext4", "-d", tree, "-E", f"offset={ROOT_AT * SECTOR}", image]
    subprocess.run([*make_root, f"{sectors // 2}k"], check=True, capture_output=True)


def boot_partition(image):
    """The first partition's bytes."""
    with image.open("rb") as file:
        file.seek(BOOT_AT * SECTOR)
        return file.read(BOOT_SECTORS * SECTOR)


def ask(image, command):
    """What debugfs says of the root file system."""
    root = f"{image}?offset={ROOT_AT * SECTOR}"
    return subprocess.run(["/sbin/debugfs", "-R", command, root], check=True, capture_output=True, text=True).stdout
