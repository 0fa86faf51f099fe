"""Whole evenings of simulated people: what is shown as sure is right, or it was asked."""

import pytest

from tests.controller.evening import Evening, shots_of

TWO_ROUNDS = {"format": {"kind": "rounds", "rounds": 2}, "discs": 6}


@pytest.mark.parametrize(
    ("seed", "faults", "missed"),
    [
        (1, (), 0.0),
        (2, ("haste", "taken-back", "forgotten-twenty"), 0.0),
        (3, ("two-shots",), 0.0),
        (4, ("late-removal", "wrong-removal", "nudged"), 0.0),
        (5, ("missed-edge", "bounce", "stuck"), 0.0),
        (6, (), 0.01),
    ],
)
def test_what_is_shown_as_sure_is_right_or_was_asked(tmp_path, seed, faults, missed):
    evening = Evening(tmp_path, seed, faults, missed, **TWO_ROUNDS)
    evening.play()
    assert evening.silently_wrong() == []
    told, happened = shots_of(evening.followed.state.game), shots_of(evening.umpire.match)
    assert abs(told - happened) <= (0 if not faults and not missed else 2)
    evening.followed.journal.close()
