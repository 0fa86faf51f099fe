import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import BadInput
from controller.vision.reading import colours
from controller.vision.reading.colours import colour_name, encoded, lab_of
from controller.vision.reading.discs import TopView
from controller.vision.reading.grouping import grouped
from controller.vision.side_colours import TWO_COLOURS, Palette, SetColours, distance
from tests.controller.vision.reading_pictures import camera_above

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


def test_the_wood_beside_a_disc_shows_the_shadow_it_lies_in():
    """Where a lamp shines on the varnish, no disc gets more light; at a shadow's edge it is from dark to full light."""
    calibration, wood, shade = camera_above(), np.array([120.0, 170.0, 205.0]), np.log(0.2)
    image = np.full((321, 321, 3), wood, np.uint8)
    image[:, :120] = colours.encoded(0.2 * colours.linear(wood))
    image[:, 200:] = 255
    places = np.array([(-200.0, 0.0), (0.0, 0.0), (200.0, 0.0), (-100.0, 0.0), (0.0, 390.0)])
    light, varies, tint = colours.light_beside(TopView(image, 400.0), calibration, places, wood)
    assert light[[0, 1, 2, 4]] == pytest.approx([shade, 0, 0, 0], abs=0.03)
    assert varies[:3] == pytest.approx(0, abs=0.03)
    assert varies[3] == pytest.approx(-shade / 2, abs=0.03)
    assert tint == pytest.approx(0, abs=0.03)


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
    assert distance(TAN, BROWN) < TWO_COLOURS
    assert not SetColours({}).differ(TAN, BROWN)
    certified = SetColours({"A": TAN, "B": BROWN})
    assert certified.differ((64.0, 15.0, 37.0), (53.0, 15.0, 31.0))
    assert not certified.differ((64.0, 15.0, 37.0), (68.0, 17.0, 39.0))


@given(st.dictionaries(st.sampled_from("ABCD"), lab, max_size=4), lab, lab)
def test_what_is_one_colour_does_not_depend_on_the_order_of_asking(certified, one, other):
    colours_ = SetColours(certified)
    assert colours_.differ(one, other) == colours_.differ(other, one)
    assert not colours_.differ(one, one)
    assert colours_.of(colours_.of(one)) == colours_.of(one)


# Reflectance of blue, green, red.
DISCS = {
    "black": (0.02, 0.02, 0.02),
    "brown": (0.023, 0.05, 0.12),
    "natural": (0.24, 0.46, 0.67),
    "tan": (0.12, 0.30, 0.54),
    "red": (0.02, 0.02, 0.41),
    "blue": (0.30, 0.07, 0.02),
    "green": (0.05, 0.14, 0.02),
    "white": (0.70, 0.75, 0.78),
}
NEAR = (("tan", "natural"), ("black", "brown"), ("blue", "black"), ("red", "brown"), ("black", "white"))


def lit(names, random):
    """Discs all over a board beside which a lamp stands: their colours (K, 3) and places (K, 2), mm."""
    places = random.uniform(-210, 210, (len(names), 2))
    towards = random.uniform(0, 2 * np.pi)
    falls = np.exp(places @ (np.cos(towards), np.sin(towards)) / 300 * random.uniform(0, 0.35))
    light = np.array([DISCS[name] for name in names]) * falls[:, None]
    light = light * (1 + random.normal(0, 0.02, (len(names), 1))) + random.uniform(0, 0.006, (len(names), 1))
    return lab_of(np.rint(encoded(0.8 * light))), places


@pytest.mark.parametrize("pair", NEAR, ids="-".join)
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), one=st.integers(3, 12), other=st.integers(3, 12))
def test_two_colours_are_two_wherever_the_lamp_stands(pair, seed, one, other):
    names = [pair[0]] * one + [pair[1]] * other
    groups = grouped(*lit(names, np.random.default_rng(seed)))
    wrong = [
        (a, b)
        for a, b in itertools.combinations(range(len(names)), 2)
        if (groups.labels[a] == groups.labels[b]) != (names[a] == names[b])
    ]
    assert not [(a, b) for a, b in wrong if groups.sure[a] and groups.sure[b]], "what is not right is in doubt"


@pytest.mark.parametrize("name", DISCS)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(1, 24))
def test_one_colour_is_one(name, seed, count):
    assert grouped(*lit([name] * count, np.random.default_rng(seed))).count == 1


def test_four_colours_are_four_and_no_discs_have_no_colour():
    names = [name for name in ("black", "natural", "red", "green") for _ in range(5)]
    groups = grouped(*lit(names, np.random.default_rng(4)))
    assert groups.count == 4
    assert groups.sure.all()
    for number in range(4):
        assert len({names[k] for k in np.flatnonzero(groups.labels == number)}) == 1
    assert grouped(np.zeros((0, 3)), np.zeros((0, 2))).count == 0


def test_a_disc_between_two_groups_is_in_doubt_and_no_other():
    names = ["black"] * 6 + ["natural"] * 6
    labs, places = lit(names, np.random.default_rng(7))
    between = (labs[:6].mean(0) + labs[6:].mean(0)) / 2
    groups = grouped(np.vstack((labs, between)), np.vstack((places, (0.0, 150.0))))
    assert groups.sure[:12].all()
    assert not groups.sure[12]


def test_a_single_disc_that_is_plainly_another_is_sure_and_a_slightly_other_one_in_doubt():
    labs, places = lit(["natural"] * 7 + ["black"], np.random.default_rng(8))
    plain = grouped(labs, places)
    assert plain.count == 2
    assert plain.sure.all()
    tan = labs[:7].mean(0) + np.array((-3.0, 3.5, 3.5))
    near = grouped(np.vstack((labs[:7], tan)), places)
    assert near.sure.tolist() == [True] * 7 + [False]


def test_a_disc_in_a_shadow_keeps_its_colour_where_the_wood_beside_it_is_as_dark():
    """Only where that wood is shaded: dark wood has a colour, and where the shadow ends nobody can tell."""
    light = np.array([DISCS["white"]] * 6 + [DISCS["black"]] * 6)
    light[0] *= 0.16
    colours, places = lab_of(encoded(0.8 * light)), np.stack([np.arange(12) * 40.0 - 240, np.zeros(12)], axis=-1)
    surely_white = []
    for shade in ((np.log(0.16), 0.1, 0.0), (0.0, 0.0, 0.0), (np.log(0.16), 0.1, 1.0), (np.log(0.4), 1.0, 0.0)):
        groups = grouped(colours, places, np.pad([shade], ((0, 11), (0, 0))).T)
        surely_white.append(bool(groups.labels[0] == groups.labels[1] and groups.sure[0]))
    assert surely_white == [True, False, False, False]
