"""Power cuts: the guest is killed at random moments while a match is played, and booted again, until it is over.

People stop playing while the power is off, but a disc on its way comes to rest and is cared for. The hole's unit, fed
by the Pi, is off too. A shot that fell into a power cut can be one too many for the table: it then asks, and the scorer
mends the round, whose truth he saw.
POWER_CUTS in the environment is how many there are, CUT_SEED where they fall.
"""

import json
import os
import random
from itertools import groupby, pairwise

import pytest

from tests.guest.machine import Guest, disk
from tests.guest.shooting import shoot

CUTS = int(os.environ.get("POWER_CUTS", "5"))
SEED = int(os.environ.get("CUT_SEED", "1"))
CUTS_A_ROUND = 20  # so many fit into the pictures of one
PATIENCE = 1800.0  # s for one boot, on a host that is busy with other things
EARLY = 0.2  # share of the cuts that come while the service starts
STARTING = (0.5, 12.0)  # s after the power came
PLAYING = (0.0, 6.0)  # s after the table has begun to follow the pictures
PICTURES = 40  # are loaded for a boot that will be cut: more than it can show
PLAY = "PYTHONPATH=/checkout python3 -m tests.guest.inside.play"

pytestmark = pytest.mark.timeout(7200)  # each boot has a limit of its own


class Told:
    """What the guests' consoles have printed so far."""

    def __init__(self):
        self.journal = []
        self.picture = 0
        self.promised = 0  # the newest event that a phone has seen, or that answered its command
        self.asked = []
        self.corrected = set()  # rounds by the scorer
        self.over = None

    def read(self, lines):
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "journal":
                self._check(json.loads(rest))
            elif word == "picture":
                self.picture = int(rest)
            elif word in ("shown", "accepted"):
                self.promised = max(self.promised, int(rest))
            elif word == "asked":
                self.asked.append(rest)
            elif word == "corrected":
                self.corrected.add(int(rest))
            elif word == "over":
                self.over = json.loads(rest)

    def _check(self, found):
        """What was on disk is there unchanged, and so is all that anybody was told."""
        assert found[: len(self.journal)] == self.journal
        assert (found[-1][0] if found else 0) >= self.promised
        self.journal = found


def beyond(picture):
    """Whether, by what a guest told, the table was shown a later picture than this one."""

    def reached(lines):
        return any(int(line.removeprefix("picture ")) > picture for line in lines if line.startswith("picture "))

    return reached


def test_no_acknowledged_event_and_no_twenty_is_lost_or_doubled(tmp_path):
    dice = random.Random(SEED)
    film = shoot(tmp_path / "film", SEED, discs=6, rounds=1 + CUTS // CUTS_A_ROUND)
    disks = (disk(tmp_path / "disk", 64), disk(tmp_path / "flash", 16))
    told = Told()
    cuts = 0
    while told.over is None:
        first = film.resumes[told.picture]
        assert first + 1 < len(film.levels), f"the film is over, the match is not: see {tmp_path}/boot*.log"
        pictures = PICTURES if cuts < CUTS else len(film.levels)
        with Guest(f"PICTURES={pictures} {PLAY} {first} correct", tmp_path, disks=disks, memory="3G") as guest:
            if cuts < CUTS and dice.random() < EARLY:
                guest.wait_for(beyond(-1), dice.uniform(*STARTING))
            else:
                began = guest.wait_for(beyond(first + 1), PATIENCE)
                assert began, guest.text
                play = dice.uniform(*PLAYING) if cuts < CUTS else PATIENCE
                guest.wait_for(lambda lines: any(line.startswith("over") for line in lines), play)
        (tmp_path / f"boot{cuts}.log").write_text(guest.text, "utf-8")
        cuts += 1
        told.read([line for _, line in guest.lines])
    with Guest(f"{PLAY} journal", tmp_path, disks=disks) as last:
        assert last.status(PATIENCE) == 0
    told.read([line for _, line in last.lines])
    asked = {json.loads(body)["round"] for _, kind, body in told.journal if kind == "question_asked"}
    print(
        f"{cuts} power cuts (seed {SEED}), {len(told.journal)} events, {len(told.asked)} questions",
        *told.asked,
        sep="\n",
    )
    print(f"{len(film.rounds)} rounds, of which the scorer corrected {sorted(told.corrected)}")
    assert [{"totals": r["totals"], "twenties": r["twenties"]} for r in told.over] == film.rounds
    assert told.corrected <= asked, "a round was wrong, and the table had not asked"
    known = [json.loads(body)["occupied"] for _, kind, body in told.journal if kind == "hole_changed"]
    levels = [level for level, _ in groupby(level for level in known if level is not None)]
    assert sum(levels) == sum(after > before for before, after in pairwise(film.levels)), "a twenty was lost or doubled"
    assert cuts >= CUTS
