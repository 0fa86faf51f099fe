"""What rolls freely, as against what hands do: painted films before a lookout, and single pictures of blobs."""

import numpy as np
import pytest

from controller.vision.watching.observations import DiscRolled
from controller.vision.watching.rolling import Rolls, rolling
from controller.vision.watching.settings import ROLLING
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.controller.vision.painted import FRAME, PaintedTable

DISC = SceneDisc("a1", "black", 10.0, 60.0)


@pytest.fixture
def film(film):
    film.show(Scene(0.0, (DISC,)), 1.0)
    return film


def rolls(film: PaintedTable) -> int:
    return sum(isinstance(seen, DiscRolled) for seen in film.seen)


def roll(film: PaintedTable, start: tuple[float, float], speed: tuple[float, float], seconds: float) -> None:
    for k in range(round(seconds / FRAME)):
        x, y = (at + v * k * FRAME for at, v in zip(start, speed, strict=True))
        film.show(Scene(0.0, (DISC, SceneDisc("b1", "natural", x, y, vx=speed[0], vy=speed[1]))), FRAME)


def test_a_disc_that_crosses_the_board_and_leaves_nothing_behind_has_rolled_once(film):
    roll(film, (-300.0, -100.0), (1200.0, 300.0), 0.5)
    film.show(Scene(0.0, (DISC,)), 1.0)
    assert rolls(film) == 1


def test_two_discs_that_roll_one_after_the_other_are_two(film):
    for _ in range(2):
        roll(film, (-300.0, -100.0), (900.0, 200.0), 0.6)
        film.show(Scene(0.0, (DISC,)), 2 * ROLLING.pause_seconds)
    assert rolls(film) == 2


@pytest.mark.parametrize("gesture", ["place", "lift", "flick", "sweep"])
def test_hands_and_what_they_carry_do_not_roll(film, gesture):
    ways = [*range(30), *reversed(range(30))]
    for k in ways:
        x, y = 150.0 - 4.0 * k, -330.0 + 10.0 * k
        carried = SceneDisc("b1", "natural", x, y, 5.0, vy=300.0)
        film.show(Scene(0.0, (DISC, carried), (Hand(1, x, y, gesture),)), FRAME)  # type: ignore[arg-type]
    film.show(Scene(0.0, (DISC,)), 1.0)
    assert rolls(film) == 0


def blob(*places: tuple[int, int], size: int = 5) -> np.ndarray:
    picture = np.zeros((120, 120), np.uint8)
    for column, row in places:
        picture[row : row + size, column : column + size] = 255
    return picture


def test_a_piece_on_the_rim_is_not_free():
    rim = np.zeros((120, 120), np.bool_)
    rim[:3] = True
    free, held = blob((50, 60)), blob((50, 0), size=20)
    assert rolling(free, free, free, rim, 6.8) == [pytest.approx((52 * 6.8, 62 * 6.8))]
    assert rolling(held, held, held, rim, 6.8) == []


def test_what_trembles_on_the_spot_does_not_roll():
    counted = Rolls()
    assert not any(counted.see([(100.0 + 3 * (k % 2), 50.0)], k * FRAME) for k in range(100))


def test_a_slow_roll_counts_once_however_long_it_takes():
    counted = Rolls()
    assert sum(counted.see([(100.0 + 8 * k, 50.0)], k * FRAME) for k in range(60)) == 1


def test_pictures_far_apart_are_no_film():
    counted = Rolls()
    assert not any(counted.see([(100.0 + 80 * k, 50.0)], k / 4) for k in range(8))
