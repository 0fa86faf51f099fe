import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import BadInput
from controller.vision.reading import colours
from controller.vision.reading.colours import bgr_of, colour_name, encoded, lab_of, linear, near_groups
from controller.vision.reading.discs import playing_view
from controller.vision.reading.evenness import evened
from controller.vision.side_colours import SIDE_COLOURS, Palette, SetColours, distance
from tests.controller.vision.reading_pictures import camera_above, paint

# Lab of discs as measured on ray-traced boards under various lights
NAMED = [
    ((12, 0, 1), "black"),
    ((37, 0, 4), "black"),
    ((96, -2, 9), "white"),
    ((79, 1, 4), "white"),
    ((34, 46, 29), "red"),
    ((48, 59, 36), "red"),
    ((50, 44, 54), "orange"),
    ((70, 4, 63), "yellow"),
    ((94, -14, 80), "yellow"),
    ((39, -30, 16), "green"),
    ((27, 9, -27), "blue"),
    ((35, 23, -53), "blue"),
    ((24, 26, -28), "purple"),
    ((33, 14, 19), "brown"),
    ((69, 7, 32), "natural"),
    ((98, -5, 16), "natural"),
    ((66, 16, 38), "tan"),
]
lab = st.tuples(st.floats(0, 100), st.floats(-80, 80), st.floats(-80, 80))


@pytest.mark.parametrize(("measured", "name"), NAMED)
def test_names(measured: tuple[float, float, float], name: str) -> None:
    assert colour_name(measured) == name


@given(lab)
def test_every_colour_has_a_name(measured: tuple[float, float, float]) -> None:
    assert colour_name(measured)


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=8))
def test_lab_and_back(colours_bgr: list[tuple[int, int, int]]) -> None:
    bgr = np.array(colours_bgr, np.float64)
    assert np.abs(colours.bgr_of(colours.lab_of(bgr)) - bgr).max() < 1.0


def test_two_groups_are_told_apart_and_one_is_left_whole() -> None:
    rng = np.random.default_rng(11)
    dark = rng.normal((33, 14, 19), 2, (7, 3))
    light = rng.normal((62, 12, 34), 2, (3, 3))
    labels = colours.group(np.concatenate([dark, light]))
    assert labels.tolist() == [0] * 7 + [1] * 3
    assert set(colours.group(dark).tolist()) == {0}
    assert colours.group(dark[:1]).tolist() == [0]
    assert colours.group(np.empty((0, 3))).tolist() == []


def test_every_sides_discs_have_its_name_however_many_sides_there_are() -> None:
    rng = np.random.default_rng(12)
    middles = {"black": (16, 1, 2), "natural": (77, 8, 30), "red": (39, 55, 38), "green": (41, -32, 16)}
    labs = {name: rng.normal(middle, 1.5, (5, 3)) for name, middle in middles.items()}
    for number in range(1, 5):
        played = list(middles)[:number]
        given = np.concatenate([labs[name] for name in played])
        assert colours.names(given) == [name for name in played for _ in range(5)]
    assert colours.names(np.concatenate([labs["black"], labs["red"][:1]])) == ["black"] * 5 + ["red"]
    assert colours.names(np.empty((0, 3))) == []


def test_sides_stay_the_same_when_the_light_turns_warm() -> None:
    """The wood tells how the light has changed: a white balance drift does not move discs between the sides."""
    wood = np.array([120.0, 170.0, 205.0])
    tan, brown = np.array([90.0, 135.0, 175.0]), np.array([45.0, 65.0, 95.0])
    palette = Palette({"A": tuple(colours.lab_of(tan)), "B": tuple(colours.lab_of(brown))})
    drift = np.array([0.7, 0.95, 1.15])
    for name, disc in (("A", tan), ("B", brown)):
        seen = colours.under_light_of(disc * drift, wood * drift, wood)
        side, sure = palette.side_of(colours.lab_of(seen))
        assert side == name
        assert sure > 0.5


def test_a_strange_colour_is_nobodys() -> None:
    palette = Palette({"A": (12, 0, 1), "B": (69, 7, 32)})
    assert palette.side_of((35, 23, -53)) == (None, 0.0)
    assert palette.side_of((69, 7, 32)) == ("B", 1.0)


@given(st.dictionaries(st.text(min_size=1, max_size=3), lab, max_size=2), st.none() | lab)
def test_a_palette_is_kept_as_json(
    sides: dict[str, tuple[float, float, float]], wood: tuple[float, float, float] | None
) -> None:
    palette = Palette(sides, wood)
    assert Palette.from_json(json.loads(json.dumps(palette.to_json()))) == palette


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"schema": "palette/2", "sides": {}, "wood": None},
        {"schema": "palette/1", "sides": {"A": [1, 2]}, "wood": None},
        {"schema": "palette/1", "sides": {"A": [1, 2, "x"]}, "wood": None},
        {"schema": "palette/1", "sides": {"A": [1, 2, math.nan]}, "wood": None},
        {"schema": "palette/1", "sides": [], "wood": None},
        {"schema": "palette/1", "sides": {}},
    ],
)
def test_a_broken_palette_says_what_to_do(document: object) -> None:
    with pytest.raises(BadInput, match="show a disc of each side again"):
        Palette.from_json(document)


TAN, BROWN = (66.0, 16.0, 38.0), (52.0, 15.0, 32.0)  # 15 apart: nearer than groups must be to be told apart


def test_two_colours_that_set_up_certified_are_told_apart_however_near_they_are() -> None:
    assert distance(TAN, BROWN) < SIDE_COLOURS.two_colours
    assert not SetColours({}).differ(TAN, BROWN)
    certified = SetColours({"A": TAN, "B": BROWN})
    assert certified.differ((64.0, 15.0, 37.0), (53.0, 15.0, 31.0))
    assert not certified.differ((64.0, 15.0, 37.0), (68.0, 17.0, 39.0))


@given(lab, lab)
def test_without_certified_colours_every_colour_stands_for_itself(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> None:
    nothing = SetColours({})
    assert nothing.of(one) == one
    assert nothing.apart(one, other) == distance(one, other)
    assert nothing.differ(one, other) == (nothing.apart(one, other) >= SIDE_COLOURS.two_colours)


@given(st.dictionaries(st.sampled_from("ABCD"), lab, max_size=4), lab, lab)
def test_what_is_one_colour_does_not_depend_on_the_order_of_asking(
    certified: dict[str, tuple[float, float, float]],
    one: tuple[float, float, float],
    other: tuple[float, float, float],
) -> None:
    colours_ = SetColours(certified)
    assert colours_.differ(one, other) == colours_.differ(other, one)
    assert not colours_.differ(one, one)
    assert colours_.of(colours_.of(one)) == colours_.of(one)


def test_two_near_colours_are_two_where_the_light_is_even_and_one_shaded_colour_is_one() -> None:
    tan = np.array([(64.0, 12.0, 33.0), (65.0, 12.5, 33.5), (63.5, 11.5, 32.5)])
    natural = np.array([(76.0, 7.0, 28.0), (75.0, 7.5, 28.0), (76.5, 6.5, 28.5)])
    groups = near_groups(np.concatenate((tan, natural))).tolist()
    assert groups in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
    shaded = natural[0] * np.linspace(0.9, 1.0, 6)[:, None]
    assert not near_groups(shaded).any()
    assert not near_groups(np.concatenate((natural, tan[:1]))).any(), "one alone may be a shadow's"


def test_what_a_lamp_does_to_one_colour_evenness_undoes() -> None:
    calibration = camera_above()
    view = playing_view(paint(calibration, [], seed=5), calibration)
    places = np.array([(-200.0, 0.0), (0.0, 0.0), (200.0, 0.0)])
    x = (np.arange(view.image.shape[1]) * 2.5 - view.reach) / 330
    lit = encoded(linear(view.image) * np.exp(0.5 * x)[None, :, None])
    darkened = replace(view, image=np.asarray(lit, np.uint8))
    same = np.tile(bgr_of(np.array([60.0, 10.0, 30.0])), (3, 1))
    seen = lab_of(encoded(linear(same) * np.exp(0.5 * places[:, :1] / 330)))
    assert np.ptp(seen[:, 0]) > 10
    assert np.ptp(evened(seen, places, darkened, calibration)[:, 0]) < 2
