import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import BadInput
from controller.vision.reading import colours
from controller.vision.reading.colours import colour_name
from controller.vision.side_colours import SIDE_COLOURS, Palette, SetColours, distance

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
def test_names(measured, name):
    assert colour_name(measured) == name


@given(lab)
def test_every_colour_has_a_name(measured):
    assert colour_name(measured)


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=8))
def test_lab_and_back(colours_bgr):
    bgr = np.array(colours_bgr, np.float64)
    assert np.abs(colours.bgr_of(colours.lab_of(bgr)) - bgr).max() < 1.0


def test_no_two_groups_have_one_name():
    """A white disc in little light is as dark as black ones are in much; beside black ones it is not black."""
    dim = np.array([(8.0, 0.0, 1.0)] * 4 + [(43.0, 0.0, 3.0)] * 4)
    assert colours.names(dim, np.repeat((0, 1), 4)) == ["black"] * 4 + ["grey"] * 4
    assert colours.names(np.empty((0, 3)), np.empty(0, np.intp)) == []


def test_sides_stay_the_same_when_the_light_turns_warm():
    """The wood shows how the light has changed: a white balance drift does not move discs between the sides."""
    wood = np.array([120.0, 170.0, 205.0])
    tan, brown = np.array([90.0, 135.0, 175.0]), np.array([45.0, 65.0, 95.0])
    palette = Palette({"A": tuple(colours.lab_of(tan)), "B": tuple(colours.lab_of(brown))})
    drift = np.array([0.7, 0.95, 1.15])
    for name, disc in (("A", tan), ("B", brown)):
        seen = colours.under_light_of(disc * drift, wood * drift, wood)
        side, sure = palette.classify_side(colours.lab_of(seen))
        assert side == name
        assert sure > 0.5


def test_a_strange_colour_is_nobodys():
    palette = Palette({"A": (12, 0, 1), "B": (69, 7, 32)})
    assert palette.classify_side((35, 23, -53)) == (None, 0.0)
    assert palette.classify_side((69, 7, 32)) == ("B", 1.0)


@given(st.dictionaries(st.text(min_size=1, max_size=3), lab, max_size=2), st.none() | lab)
def test_a_palette_is_kept_as_json(sides, wood):
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
def test_a_broken_palette_says_what_to_do(document):
    with pytest.raises(BadInput, match="show a disc of each side again"):
        Palette.from_json(document)


TAN, BROWN = (66.0, 16.0, 38.0), (52.0, 15.0, 32.0)  # 15 apart: nearer than two groups may be


def test_two_colours_that_setup_accepted_are_distinguished_however_near_they_are():
    assert distance(TAN, BROWN) < SIDE_COLOURS.two_colours
    assert not SetColours({}).differ(TAN, BROWN)
    certified = SetColours({"A": TAN, "B": BROWN})
    assert certified.differ((64.0, 15.0, 37.0), (53.0, 15.0, 31.0))
    assert not certified.differ((64.0, 15.0, 37.0), (68.0, 17.0, 39.0))


@given(lab, lab)
def test_without_certified_colours_every_colour_stands_for_itself(one, other):
    nothing = SetColours({})
    assert nothing.of(one) == one
    assert nothing.apart(one, other) == distance(one, other)
    assert nothing.differ(one, other) == (nothing.apart(one, other) >= SIDE_COLOURS.two_colours)


@given(st.dictionaries(st.sampled_from("ABCD"), lab, max_size=4), lab, lab)
def test_what_is_one_colour_does_not_depend_on_the_order_of_asking(certified, one, other):
    colours_ = SetColours(certified)
    assert colours_.differ(one, other) == colours_.differ(other, one)
    assert not colours_.differ(one, one)
    assert colours_.of(colours_.of(one)) == colours_.of(one)
