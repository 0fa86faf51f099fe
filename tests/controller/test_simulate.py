"""The whole pipeline against what really happened: frames, the hole unit's protocol, referee, rules, journal."""

import pytest

from controller.simulation.simulate import Counts, play, simulate
from hardware.errors import UnknownFault

ONE_ROUND = {"kind": "rounds", "rounds": 1}


def sound(counts: Counts) -> None:
    """What must hold of any match, with faults or without: nothing is lost, and no error is silent."""
    assert counts.shots == counts.verdicts_right + counts.verdicts_wrong
    assert counts.events_lost == 0
    assert counts.silent_wrong_rounds == 0
    assert counts.frames > 1000


@pytest.mark.parametrize("seed", [11, 12])
def test_a_round_is_followed_without_a_human_touch(seed):
    counts = play("nca", seed, format_=ONE_ROUND)
    sound(counts)
    assert (counts.rounds, counts.rounds_exact) == (1, 1)
    assert counts.shots == 16
    assert counts.verdicts_right >= 15
    assert (counts.twenties_missed, counts.twenties_extra, counts.silent_wrong_discs) == (0, 0, 0)


def test_another_rule_set_with_other_discs():
    counts = play("club-100", 21, format_={"kind": "points", "target": 5})
    sound(counts)
    assert counts.shots == 24 * counts.rounds
    assert counts.rounds_exact == counts.rounds


def test_faults_lose_nothing_silently():
    faults = ("bounce", "missed-edge", "dropped-frames", "bumped-board", "changing-light")
    counts = play("nca", 31, faults, ONE_ROUND)
    sound(counts)


def test_the_same_seed_gives_the_same_counts():
    def figures() -> dict[str, float]:
        report = play("nca", 41, ("bounce",), {"kind": "rounds", "rounds": 1}).report()
        return {name: value for name, value in report.items() if not name.startswith(("ms_", "wall"))}

    assert figures() == figures()


def test_an_unknown_fault_is_named():
    with pytest.raises(UnknownFault, match="gremlins"):
        simulate(1, "nca", 1, ("gremlins",))
