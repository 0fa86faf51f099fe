"""Which discs are of one colour. Light and gloss are made here with an optical model in linear light, not in L*a*b*."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from controller.vision.reading.colours import encoded, lab_of
from controller.vision.reading.grouping import grouped

Floats = NDArray[np.float64]

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


def lit(names: list[str], random: np.random.Generator) -> tuple[Floats, Floats]:
    """Discs all over a board beside which a lamp stands: their colours (K, 3) and places (K, 2), mm."""
    places = random.uniform(-210, 210, (len(names), 2))
    towards = random.uniform(0, 2 * np.pi)
    falls = np.exp(places @ (np.cos(towards), np.sin(towards)) / 300 * random.uniform(0, 0.35))
    light = np.array([DISCS[name] for name in names]) * falls[:, None]
    light = light * (1 + random.normal(0, 0.02, (len(names), 1))) + random.uniform(0, 0.006, (len(names), 1))
    return lab_of(np.rint(encoded(0.8 * light))), places


@pytest.mark.parametrize("pair", NEAR, ids="-".join)
@settings(max_examples=40, deadline=None)
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
@settings(max_examples=25, deadline=None)
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
