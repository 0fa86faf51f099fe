"""Light that changes while people play: within three seconds the board is read, no disc lost and none invented."""

import math
from dataclasses import replace

import pytest

from controller.vision.watching.background_model import BackgroundModel
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Glow, Hand, Scene, SceneDisc
from tests.controller.vision.painted import PaintedTable
from tests.slow import first_is_quick, slow

BLIND = 3.0  # s at most, once the light is steady
DISCS = (
    SceneDisc("a1", "black", 10.0, 60.0),
    SceneDisc("a2", "black", -180.0, -40.0),
    SceneDisc("b1", "natural", 120.0, 140.0),
    SceneDisc("b2", "natural", -60.0, -230.0),
)
SHOT = SceneDisc("a3", "black", 90.0, -120.0)
LAMP = Glow(250.0, 260.0, 320.0, 1.7, 60.0)
BODY = Glow(-420.0, 150.0, 220.0, 0.5)


# A scene in the light of a time, seconds after the light began to change; steady from 2 s on.


def lamp_on(scene, t):
    flicker = (0.7, 0.1, 0.9, 0.3)
    share = 1.0 if t >= 0.4 else flicker[int(t * 10)]
    return replace(scene, glows=(replace(LAMP, gain=1 + 0.7 * share, mirrored=60.0 * share),))


def lamp_off_and_on_elsewhere(scene, t):
    dark = replace(scene, light=0.75)
    return dark if t < 2 else replace(scene, glows=(Glow(-300.0, -200.0, 280.0, 1.5, 40.0),))


def slow_dimming(scene, t):
    return replace(scene, light=1 - 0.2 * min(1.0, t / 2), glows=(Glow(0.0, 450.0, 300.0, 1 - 0.4 * min(1.0, t / 2)),))


def half_shaded(scene, t):
    return replace(scene, glows=(replace(BODY, gain=1 - 0.5 * min(1.0, t)),))


def body_that_sways(scene, t):
    sway = 80 * math.sin(2 * math.pi * min(t, 2.0))
    return replace(scene, glows=(replace(BODY, y=BODY.y + sway),))


def lamp_and_body(scene, t):
    return half_shaded(lamp_on(scene, t), t) if t < 2 else replace(scene, glows=(LAMP, BODY))


@pytest.fixture(scope="module")
def painter():
    return Painter(seed=7, look=Look(surface="maple"))


def table_in_play(painter):
    table = PaintedTable(painter, BackgroundModel())
    table.show(Scene(0.0), 1.0)
    table.show(Scene(0.0, hands=(Hand(1, 20.0, -260.0),)), 0.5)
    table.show(Scene(0.0, DISCS), 1.0)
    expect(table, DISCS)
    table.forget()
    return table


def expect(table, discs):
    """The board was read, and is as it is."""
    assert table.places, table.words
    assert table.places[-1] == [pytest.approx(place, abs=1.5) for place in sorted((d.x, d.y) for d in discs)]


@slow
@pytest.mark.parametrize(
    "light",
    first_is_quick([lamp_on, lamp_off_and_on_elsewhere, slow_dimming, half_shaded, body_that_sways, lamp_and_body]),
)
def test_a_shot_in_another_light_is_read(painter, light):
    table = table_in_play(painter)
    table.show(Scene(0.0), 2.0 + BLIND, lambda t: light(Scene(0.0, DISCS), t))
    assert all(len(places) == len(DISCS) for places in table.places)
    table.forget()
    table.show(light(Scene(0.0, DISCS, (Hand(1, 60.0, -200.0),)), 9.0), 0.6)
    table.show(light(Scene(0.0, (*DISCS, SHOT)), 9.0), 1.2)
    assert table.words[0] in ("moving", "hand")
    expect(table, (*DISCS, SHOT))


@pytest.mark.parametrize("light", first_is_quick([lamp_on, half_shaded]))
def test_light_that_changes_while_a_hand_is_over_the_board_hides_nothing_afterwards(painter, light):
    table = table_in_play(painter)
    hand = Scene(0.0, DISCS, (Hand(1, 60.0, -200.0),))
    table.show(hand, 0.5)
    table.show(hand, 2.5, lambda t: light(hand, t))
    table.forget()
    table.show(light(Scene(0.0, (*DISCS, SHOT)), 9.0), 1.5)
    expect(table, (*DISCS, SHOT))


def test_the_first_light_may_come_back(painter):
    table = table_in_play(painter)
    table.show(lamp_on(Scene(0.0, DISCS), 9.0), 2.0)
    table.show(Scene(0.0, DISCS), 2.0)
    expect(table, DISCS)
    table.forget()
    table.show(Scene(0.0, DISCS, (Hand(1, 60.0, -200.0),)), 0.6)
    table.show(Scene(0.0, (*DISCS, SHOT)), 1.0)
    expect(table, (*DISCS, SHOT))


def test_a_hand_that_rests_on_the_board_in_another_light_is_a_hand(painter):
    """Light explains no outline: what reaches in is not read as a free board."""
    table = table_in_play(painter)
    table.show(lamp_on(Scene(0.0, DISCS), 9.0), 2.0)
    table.forget()
    table.show(lamp_on(Scene(0.0, DISCS, (Hand(1, 40.0, -60.0),)), 9.0), 2.0)
    assert table.words[-1] == "hand"
    assert not table.places
