"""What stays in its place while hands come and go hides only what is under it."""

import pytest

from controller.vision.readings import BoardReading
from controller.vision.watching.lying_parts import STAYS_SECONDS, LyingParts
from hardware.board import TOURNAMENT


def square(x, y, side=60.0):
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


LAMP = square(100.0, 100.0)


def shown(parts, t, *hidden):
    return parts.separated(BoardReading((), obstructed=bool(hidden), t=t, hidden=hidden), TOURNAMENT)


def test_what_stays_for_long_no_longer_obstructs_the_board():
    parts = LyingParts()
    assert shown(parts, 0.0, LAMP).obstructed
    assert shown(parts, STAYS_SECONDS - 0.1, square(103.0, 99.0)).obstructed
    after = shown(parts, STAYS_SECONDS, LAMP)
    assert (after.obstructed, after.hidden, after.laid) == (False, (), (LAMP,))
    assert after.partial
    assert after.hides(130.0, 130.0, 0.0)
    assert after.hidden_share(0.0, 300.0) == pytest.approx(3600 / (3.1416 * 300.0**2), rel=0.01)


def test_a_hand_that_moves_obstructs_for_as_long_as_it_is_there():
    parts = LyingParts()
    assert all(shown(parts, t, square(20.0 * t, 0.0)).obstructed for t in range(20))


def test_a_hand_over_it_starts_no_new_wait():
    parts = LyingParts()
    shown(parts, 0.0, LAMP)
    shown(parts, STAYS_SECONDS, LAMP)
    assert shown(parts, STAYS_SECONDS + 1, square(60.0, 60.0, 200.0)).obstructed
    assert shown(parts, STAYS_SECONDS + 2, LAMP, square(-200.0, 0.0)).hidden == (square(-200.0, 0.0),)
    assert not shown(parts, STAYS_SECONDS + 3, LAMP).obstructed


def test_what_was_taken_off_and_comes_again_is_new():
    parts = LyingParts()
    for t in (0.0, STAYS_SECONDS):
        shown(parts, t, LAMP)
    shown(parts, STAYS_SECONDS + 1)
    assert shown(parts, STAYS_SECONDS + 2, LAMP).obstructed


def test_what_hides_an_unknown_part_obstructs_the_board():
    parts = LyingParts()
    assert all(parts.separated(BoardReading((), obstructed=True, t=t), TOURNAMENT).obstructed for t in (0.0, 30.0))
