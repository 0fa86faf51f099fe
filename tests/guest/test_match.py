"""The whole service in the guest: board pictures by picamera2, the unit on USB, lamps, buttons, a phone; one match."""

import json

import pytest

from tests.guest.machine import Guest, disk
from tests.guest.shooting import shoot

SEED = 3
PATIENCE = 1800.0  # s, on a host that is busy with other things
PLAY = "cd /checkout && PICTURES=1000 python3 -m tests.guest.inside.play 0 press"

pytestmark = pytest.mark.timeout(7200)  # each boot has a limit of its own


def test_one_match_counts_what_was_played(tmp_path):
    film = shoot(tmp_path / "film", SEED, discs=6, rounds=1)
    disks = (disk(tmp_path / "disk", 64), disk(tmp_path / "flash", 16))
    with Guest(PLAY, tmp_path, disks=disks, memory="3G") as guest:
        status = guest.status(PATIENCE)
    lines = [line for _, line in guest.lines]
    asked = [line for line in lines if line.startswith("asked ")]
    seconds = guest.lines[-1][0] - guest.started
    print(f"{len(film.levels)} pictures, {len(asked)} questions, booted and played in {seconds:.0f} s")
    assert status == 0, guest.text
    (over,) = [json.loads(line.removeprefix("over ")) for line in lines if line.startswith("over ")]
    assert [{"totals": r["totals"], "twenties": r["twenties"]} for r in over] == film.rounds, "\n".join(asked)
    assert asked == []
    assert any(line.startswith("tried ") for line in lines), "nobody pressed the buttons"
    burnt = {lamp for line in lines if line.startswith("burning ") for lamp in line.split()[1:]}
    assert burnt >= {"A", "B", "twenty"}
