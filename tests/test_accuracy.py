"""How `make bench` counts: a board is wrong where something false is shown as sure."""

from dataclasses import replace

import pytest

from controller.vision.readings import SeenDisc
from tests.bench.accuracy import Set
from tests.bench.tally import Tally
from tests.bench.truth import TrueDisc

TRUE = TrueDisc(0.0, 100.0, "A", "black", "flat", 10, 0.0, 5.0)
SEEN = SeenDisc(0.2, 100.1, "black", (20, 0, 0), "flat", 10, 5.0, 0.2, "sure")


@pytest.mark.parametrize(
    ("seen", "asks", "wrong", "asked"),
    [
        ([SEEN], False, False, False),
        ([replace(SEEN, zone=5)], False, True, False),
        ([replace(SEEN, zone=5, call="close")], False, False, True),
        ([replace(SEEN, zone=5)], True, True, True),  # it asks about something else, and shows this as sure
        ([], False, True, False),  # missed, and the total is wrong
        ([], True, False, True),
        ([SEEN, replace(SEEN, x=200.0)], False, True, False),  # a ghost that counts
    ],
)
def test_a_board_is_wrong_where_something_false_is_shown_as_sure(seen, asks, wrong, asked):
    board = Tally()
    board.add([TRUE], seen, asks)
    assert (board.wrong, board.asked) == (wrong, asked)
    board.add([TRUE], [SEEN], asks=False)
    assert (board.wrong, board.asked) == (wrong, asked), "its pictures count as one board"


@pytest.mark.parametrize("count", [1, 20, 300])
def test_the_bound_of_boards_that_were_all_right_is_the_closed_one(count):
    """None wrong of n: the share at which that has a probability of one in twenty."""
    assert Set("", [Tally()] * count).most == pytest.approx(1 - 0.05 ** (1 / count), abs=1e-6)
