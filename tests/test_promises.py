"""What docs/accuracy.md promises: how boards are counted, and that the bound is one."""

import importlib
from dataclasses import replace

import pytest

from controller.vision.readings import SeenDisc
from tests.bench import promises
from tests.bench.__main__ import BENCHMARKS
from tests.bench.accuracy import DOCUMENT
from tests.bench.promises import Board, Promise
from tests.bench.report import APART, PREFACE
from tests.bench.truth import TrueDisc

TRUE = TrueDisc(0.0, 100.0, "A", "black", "flat", 10, 0.0, 5.0)
SEEN = SeenDisc(0.2, 100.1, "black", (20, 0, 0), "flat", 10, 5.0, 0.2, "sure")
GOOD, BAD = Board(False, False, 4, 5), Board(True, False, 4, 5)


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
    board = promises.board_of([TRUE], seen, asks)
    assert (board.wrong, board.asked) == (wrong, asked)


def test_pictures_of_one_board_count_once():
    board = GOOD + BAD + BAD
    assert (board.wrong, board.asked, board.sure, board.discs) == (True, False, 12, 15)
    assert (GOOD + promises.REFUSED).asked


@pytest.mark.parametrize("count", [1, 20, 59, 300])
def test_the_bound_of_boards_that_were_all_right_is_the_closed_one(count):
    """None wrong of n: the share at which that has a probability of one in twenty."""
    assert Promise("", [GOOD] * count).most == pytest.approx(1 - 0.05 ** (1 / count), abs=1e-6)
    assert Promise("", []).most == 1.0


def test_a_use_is_reached_only_where_the_sample_shows_it():
    few, many = list(promises.lines([Promise("x", [GOOD] * 20)])), list(promises.lines([Promise("x", [GOOD] * 300)]))
    assert sum("**not shown by this sample**" in line for line in few) == 2
    assert not any("**not shown" in line for line in many)
    spoilt = list(promises.lines([Promise("x", [GOOD] * 290), Promise("y", [BAD] * 10)]))
    assert any(line.startswith("| **all of them** | 10 of 300 boards |") for line in spoilt)
    assert sum("**not shown" in line for line in spoilt) == 2, "5.6 % at most"


@pytest.mark.parametrize("name", [*BENCHMARKS, "club", "sensitivity"])
def test_every_benchmark_can_be_started(name):
    assert callable(importlib.import_module(f"tests.bench.{name}").run)


def test_the_page_says_what_was_measured_apart_from_it():
    page = DOCUMENT.read_text("utf-8")
    assert page.startswith(PREFACE.read_text("utf-8"))
    assert page.endswith(APART.read_text("utf-8"))
