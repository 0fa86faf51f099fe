"""Whether the camera sees the lamps: what set-up finds in painted pictures of each signal."""

from contextlib import closing
from functools import cache

import numpy as np
import pytest

from controller.config import LampsSection
from controller.errors import Refused
from controller.journal import Journal
from controller.table.setup.lamp_check import SHOWN, LampCheck, seen
from controller.vision.calibration.calibration import calibrate
from controller.vision.watching.frame_watcher import surface
from firmware_bridge.firmware import ring
from firmware_bridge.messages import SIGNALS
from hardware.devices import Frame
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Hand, Scene

PAINTER = Painter(seed=5)
EMPTY = Scene(0.0)
RATE = 10  # frames a second


@cache
def playing_surface():
    return surface(calibrate(PAINTER.full(EMPTY)), PAINTER.small(EMPTY))


class Table:
    """A camera above a board, and lamps."""

    def __init__(self, journal, *, in_view):
        self.unseen, self.lit = [], []
        self.check = LampCheck(journal, LampsSection(device="unit"), self.unseen.append)
        self.hand = None
        self.refuse = lambda: None
        self._in_view = in_view
        self._number = 0

    def light(self, signal, side):
        self.lit.append((signal, side))

    def ask(self, work):
        answer = None
        while answer is None:
            self._number += 1
            t = self._number / RATE
            lamps = ring.pixels(SIGNALS.index(self.lit[-1][0]), (255, 255, 255), round(t * 1000), 24)
            hands = (self.hand,) if self.hand and len(self.lit) == len(SHOWN) else ()
            small = PAINTER.small(Scene(t, hands=hands, ring=tuple(lamps) if self._in_view else ()))
            answer = work(Frame(t, self._number, small, lambda: PAINTER.full(EMPTY)))
        return answer

    def compare(self):
        self.check.compare(self.ask, self.light, self.refuse, playing_surface())


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        yield journal


@pytest.mark.parametrize("in_view", [True, False])
def test_lamps_are_seen_if_they_change_the_playing_surface(journal, in_view):
    table = Table(journal, in_view=in_view)
    assert table.unseen == [False]  # until it is known
    assert table.check.words()[1] is False
    table.compare()
    assert table.unseen == [False, not in_view]
    assert table.lit == [*SHOWN, (None, None)]
    words, shown = table.check.words()
    assert shown is not in_view
    assert str(words).startswith("The camera sees them" if in_view else "The camera does not see them")
    assert Table(journal, in_view=in_view).unseen == [not in_view], "it is known after a restart"


def test_a_hand_or_a_match_that_begins_meanwhile_is_refused_and_nothing_is_kept(journal):
    table = Table(journal, in_view=False)
    table.hand = Hand(1, 0.0, -100.0)
    with pytest.raises(Refused, match="Take your hands away"):
        table.compare()
    table.hand = None

    def begun():
        if table.lit[-1:] == [(None, None)]:
            raise Refused("a match")

    table.lit.clear()
    table.refuse = begun
    with pytest.raises(Refused, match="a match"):
        table.compare()
    assert table.unseen == [False]
    assert table.lit[-1] == (None, None)


@pytest.mark.parametrize(("levels", "found"), [(2.0, False), (10.0, True)])
def test_a_faint_glow_is_not_seen_and_one_lamp_in_one_signal_is(levels, found):
    pictures = [np.full((240, 320), 100, np.float32) for _ in SHOWN]
    pictures[3][100:103, 100:103] += levels
    assert seen(pictures, np.ones((240, 320), np.bool_)) is found
    outside = np.ones((240, 320), np.bool_)
    outside[90:110, 90:110] = False
    assert seen(pictures, outside) is False
