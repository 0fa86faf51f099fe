"""Old pictures go; matches, the newest match's pictures and every page that named one stay."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal import Picture
from controller.table.housekeeping import PRUNED_EVERY, Pruning, is_volatile
from controller.views.history import Archive
from controller.vision.calibration.calibration import calibrate
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.controller.fed_table import ReadTable, a, b


def played(journal, match, pictures=1, size=1000):
    """A match that is over, half of each picture its frame. Returns its last event."""
    half = bytes(size // 2)
    journal.pictures.keep({f"{match}-{match}-shot-{k}.jpg": Picture(half, half, {}) for k in range(pictures)})
    return journal.append(match, 0.0, [("shot_seen", {})])[-1].id


def prune(journal, old=0, megabytes=1000):
    """Remove the pictures of matches that ended with event `old` or before."""
    return Pruning(journal.pictures, lambda: old, megabytes).step(0.0)


def kept(journal):
    return [len(journal.pictures.of(match)) for match in journal.spans()]


def test_pictures_of_old_matches_go(journal):
    ends = [played(journal, match, pictures=15) for match in range(1, 5)]
    journal.append(2, 0.0, [("shot_seen", {})])  # was corrected only now
    assert prune(journal, old=ends[2]) == 30
    assert kept(journal) == [0, 15, 0, 15]
    assert prune(journal, old=ends[2]) == 0


def test_beyond_the_limit_the_oldest_matches_go_first(journal):
    for match in range(1, 7):
        played(journal, match, pictures=2, size=10_000_000)
    assert prune(journal, megabytes=61) == 6
    assert kept(journal) == [0, 0, 0, 2, 2, 2]
    assert prune(journal, megabytes=61) == 0


def test_the_newest_match_keeps_its_pictures_whatever_they_take(journal):
    played(journal, 1, pictures=2, size=10_000_000)
    end = played(journal, 2, pictures=8, size=10_000_000)
    assert prune(journal, old=end, megabytes=50) == 2
    assert kept(journal) == [0, 8]


def test_pruning_looks_again_after_a_while(journal):
    old = [0]
    pruning = Pruning(journal.pictures, lambda: old[0], 1000)
    assert pruning.step(0.0) == 0
    old[0] = played(journal, 1)
    played(journal, 2)
    assert pruning.step(PRUNED_EVERY - 1) == 0
    assert pruning.step(PRUNED_EVERY) == 1


def test_a_review_says_that_a_picture_was_given_up_and_loses_nothing_else(tmp_path, monkeypatch):
    board = Painter().full(Scene(0.0))
    monkeypatch.setattr("tests.controller.fed_table.NOTHING", board)
    table = ReadTable(tmp_path, calibration=calibrate(board))
    table.see(a(0, 60))
    table.see(a(0, 90), b(20, 70))
    with closing(table.journal), closing(Archive(table.journal)) as archive:
        first, second = archive.match(1).shots
        assert (second.picture is None, first.picture_gone) == (False, False)
        (tmp_path / "pictures" / "1" / first.picture).unlink()
        assert archive.match(1).shots == [replace(first, picture=None, picture_gone=True), second]


def test_a_shot_without_a_picture_differs_from_one_whose_picture_is_gone(opened):
    (shot,) = Archive(opened.journal).match(1).shots
    assert (shot.picture, shot.picture_gone) == (None, False)


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
