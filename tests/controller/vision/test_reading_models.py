"""The fitted models of a reading: how far off a disc may be, and how likely it is one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from controller.vision.reading import disc_model, place_model
from controller.vision.reading.regression import Regression
from tests.controller.vision.reading_pictures import camera_above

CAMERA = camera_above(tilt=20.0)


@given(st.floats(-300, 300), st.floats(-300, 300), st.floats(0.01, 0.5), st.floats(0.01, 0.5), st.floats(0, math.pi))
def test_a_covariance_is_one_and_its_long_axis_may_be_any(x, y, one, other, turn):
    axis = np.array((math.cos(turn), math.sin(turn)))
    fitted = one**2 * np.outer(axis, axis) + other**2 * np.eye(2)
    spread = place_model.covariances(CAMERA, np.array([[x, y]]), fitted[None])[0]
    assert np.allclose(spread, spread.T)
    assert (np.linalg.eigvalsh(spread) > 0).all()


def test_a_place_is_less_sure_along_the_line_of_sight_and_where_the_outline_scatters():
    place, fitted = np.array([[200.0, 100.0]]), 0.03**2 * np.eye(2)[None]
    axes = place_model.sight(CAMERA, place)[:, 0]
    along, across = _along(axes, place_model.covariances(CAMERA, place, fitted)[0])
    assert along > 1.3 * across
    wide = _along(axes, place_model.covariances(CAMERA, place, 25 * fitted)[0])
    assert wide[0] > along
    assert wide[1] > across


def _along(axes: NDArray[np.float64], covariance: NDArray[np.float64]) -> tuple[float, float]:
    """The standard errors along two axes (2, 2)."""
    one, other = np.sqrt(np.einsum("di,ij,dj->d", axes, covariance, axes))
    return float(one), float(other)


@pytest.mark.parametrize(
    ("figure", "better"), [("round", 1), ("support", 1), ("visible", 1), ("weakest", 1), ("colour", -1), ("alone", 1)]
)
def test_each_figure_speaks_for_a_disc_as_it_should(figure, better):
    odds = disc_model.fitted()
    usual = odds.usual.copy()
    usual[disc_model.FIGURES.index(figure)] += 0.1 * better
    assert odds.log_odds(usual) > odds.log_odds(odds.usual)


def test_a_colour_that_nothing_can_be_compared_with_says_nothing():
    odds = disc_model.fitted()
    alone = odds.usual.copy()
    alone[disc_model.FIGURES.index("colour")] = np.nan
    assert odds.log_odds(alone) == pytest.approx(odds.log_odds(odds.usual))


def test_the_weights_are_written_as_they_are_read():
    names, spread = disc_model.FIGURES, place_model.spread()
    written = disc_model.fitted().to_json(names)
    assert Regression.from_json(written).to_json(names) == written
    assert np.allclose(place_model.Spread.from_json(spread.to_json()).exponents, spread.exponents)
