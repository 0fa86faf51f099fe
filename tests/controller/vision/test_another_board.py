"""A board that takes the place of another one, painted: it is read once it has lain still, and nothing else is."""

from dataclasses import replace

import numpy as np
import pytest

from controller.vision.reading.learning import learn
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.gate import AGAIN_SECONDS, STUCK_SECONDS
from controller.vision.watching.observations import BoardRead
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Glow, Hand, Scene, SceneDisc
from tests.controller.vision.painted import PaintedTable
from tests.slow import first_is_quick, slow

LIGHT_LINES = (205, 222, 228)
LOOKS = {
    "maple": Look(surface="maple"),
    "black": Look(surface="black_paint", lines=LIGHT_LINES, rail="black_paint"),
    "walnut": Look(surface="walnut", lines=LIGHT_LINES, rail="oak", grain_angle=70.0),
    "oak": Look(surface="oak", rail="black_paint", grain_angle=70.0),
}
PUT_DOWN = (5.0, -4.0, 12.0)  # mm and degrees: nobody lays it where the other one lay
DISCS = (SceneDisc("a1", "red", 10.0, 160.0), SceneDisc("b1", "white", -120.0, 140.0))
JACKET = Scene(0.0, covered=True)


class Exchanged(PaintedTable):
    """A table whose board was exchanged."""

    def exchange(self, look, scene=JACKET):
        """Somebody's body is over the table while it happens."""
        self.show(scene, 1.0)
        self._painter = Painter(seed=5, look=look)


@pytest.fixture
def maple(painter):
    table = Exchanged(painter, BackgroundModel())
    table.show(Scene(0.0), 1.0)
    assert table.places == [[]]
    return table


def readings(table):
    return [seen.reading for seen in table.seen if isinstance(seen, BoardRead)]


@slow
@pytest.mark.parametrize(
    "boards", first_is_quick(["black", "walnut", "oak", "black maple", "walnut maple", "oak black"])
)
def test_a_board_put_in_the_place_of_another_is_read_once_it_has_lain_still(maple, boards):
    for board in boards.split():
        maple.exchange(LOOKS[board])
        maple.forget()
        maple.show(Scene(0.0, board_shift=PUT_DOWN), STUCK_SECONDS + 2.0)
        last = readings(maple)[-1]
        assert not last.partial
        assert not any(disc.call == "sure" for reading in readings(maple) for disc in reading.discs)
    maple.show(Scene(0.0, hands=(Hand(1, 20.0, -200.0),), board_shift=PUT_DOWN), 1.0)
    maple.show(Scene(0.0, DISCS, board_shift=PUT_DOWN), 1.5)
    assert np.allclose(maple.places[-1], sorted((disc.x, disc.y) for disc in DISCS), atol=1.0)
    assert not readings(maple)[-1].partial
    assert all(disc.call == "sure" for disc in readings(maple)[-1].discs)


@pytest.mark.parametrize(
    "scene",
    first_is_quick(
        [
            JACKET,
            Scene(0.0, hands=(Hand(1, 20.0, -30.0), Hand(2, -30.0, 0.0), Hand(3, 0.0, 40.0), Hand(4, 40.0, -10.0))),
            Scene(0.0, hands=(Hand(1, 20.0, -60.0),), glows=(Glow(250.0, 260.0, 320.0, 1.7, 60.0),)),
            replace(JACKET, glows=(Glow(250.0, 260.0, 320.0, 1.7, 60.0),)),
        ]
    ),
    ids=["jacket", "arms", "arm and lamp", "jacket and lamp"],
)
@slow
def test_what_lies_still_over_a_board_is_no_other_board(painter, calibration, scene):
    model = BackgroundModel(calibration=calibration)
    model.read(painter.full(Scene(0.0)))
    learnt = model.background
    for t in (20.0, 40.0):
        reading = model.read(painter.full(replace(scene, t=t)), t, hand=bool(scene.hands), lies_still=True)
        assert reading.obstructed or reading.laid
    assert model.background is learnt
    assert model.calibration is calibration
    whole = model.read(painter.full(Scene(60.0, DISCS)), 60.0)
    assert np.allclose(sorted((d.x, d.y) for d in whole.discs), sorted((d.x, d.y) for d in DISCS), atol=1.0)


@pytest.mark.parametrize("found", [False, True], ids=["by itself", "found again"])
def test_the_wood_of_another_board_is_no_reference_for_the_sides_colours(painter, calibration, found):
    """Where the light was known by maple, a black disc on a black board would look as pale as the other side's."""
    kept = []  # for the next start
    model = BackgroundModel(calibration=calibration, on_palette=kept.append)
    model.read(painter.full(Scene(0.0)))
    for side, colour in (("A", "black"), ("B", "natural")):
        shown = painter.full(Scene(0.0, (SceneDisc("a", colour, 60.0, 100.0),)))
        model.palette = learn(shown, calibration, side, model.palette, empty=model.background)
    black = Painter(seed=5, look=LOOKS["black"])
    if found:
        model.find(black.full(Scene(20.0)))
    assert not model.read(black.full(Scene(20.0)), 20.0, lies_still=True).partial
    assert [palette.wood for palette in kept] == [None]
    discs = (SceneDisc("a", "black", 10.0, 150.0), SceneDisc("b", "natural", -120.0, 140.0))
    assert {disc.side for disc in model.read(black.full(Scene(30.0, discs)), 30.0).discs} == {"A", "B"}


def test_a_jacket_over_another_board_is_no_board(maple):
    maple.exchange(LOOKS["black"])
    maple.forget()
    maple.show(replace(JACKET, board_shift=PUT_DOWN), 2 * STUCK_SECONDS + 2.0)
    assert all(reading.obstructed for reading in readings(maple))
    assert not any(maple.places)
    maple.show(Scene(0.0, board_shift=PUT_DOWN), STUCK_SECONDS + AGAIN_SECONDS + 1.0)
    assert not readings(maple)[-1].partial
