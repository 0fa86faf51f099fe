"""What the kernel's table of mounts says of a folder: tables as they stand on a Raspberry Pi and elsewhere."""

from pathlib import Path

import pytest

from controller.table.housekeeping import is_volatile

DATA = Path("/var/lib/crokinole-table")
CARD = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\nproc /proc proc rw 0 0\ntmpfs /run tmpfs rw,nosuid 0 0\n"
HIDDEN = "overlay / overlay rw,noatime,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work 0 0\n"
"""As raspi-config makes it: the upper layer's own mount is left behind in the initial RAM disk."""
OVERLAYROOT = (
    "{upper} /media/root-rw {kind} rw,relatime 0 0\n/dev/mmcblk0p2 /media/root-ro ext4 ro,relatime 0 0\n"
    "overlayroot / overlay rw,relatime,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,workdir=/media/x 0 0\n"
)
"""As Debian's package overlayroot makes it."""


@pytest.mark.parametrize(
    ("table", "forgotten"),
    [
        (CARD, False),
        (HIDDEN, True),
        (OVERLAYROOT.format(upper="tmpfs-root", kind="tmpfs"), True),
        (OVERLAYROOT.format(upper="/dev/sda1", kind="ext4"), False),
        (HIDDEN + "/dev/sda1 /var/lib/crokinole-table ext4 rw 0 0\n", False),
        (HIDDEN + "/dev/sda1 /var/lib/crokinole-table-2 ext4 rw 0 0\n", True),
        (CARD + HIDDEN, True),  # mounted over the other
        (CARD.replace("/run", r"/media/my\040stick"), False),
        ("", False),
    ],
)
def test_only_an_overlay_that_is_not_on_a_disk_is_volatile(tmp_path, table, forgotten):
    mounts = tmp_path / "mounts"
    mounts.write_text(table, "utf-8")
    assert is_volatile(DATA, mounts) is forgotten


def test_without_a_table_nothing_is_claimed(tmp_path):
    assert not is_volatile(DATA, tmp_path / "none")


def test_the_kernel_s_own_table_can_be_read(tmp_path):
    assert is_volatile(tmp_path) in (True, False)
