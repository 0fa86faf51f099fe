"""The share of a ring that outlines hide, against the count of a fine grid's points within them."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.readings import BoardReading, as_outline
from hardware.board import TOURNAMENT

EDGE, MIDDLE = TOURNAMENT.surface_radius, TOURNAMENT.surface_radius + TOURNAMENT.ditch_width / 2
GRID = np.arange(-440.0, 440.0, 1.0)  # mm
X, Y = np.meshgrid(GRID, GRID)
FROM_HOLE = np.hypot(X, Y)
coordinate = st.integers(-420, 420)


def counted(outline, inner, outer):
    """The share of the grid's points in the ring that lie within the outline."""
    mask = np.zeros(X.shape, np.uint8)
    cv2.fillPoly(mask, [np.rint((np.array(outline) - GRID[0]) * 16).astype(np.int32)], 1, shift=4)
    ring = (inner <= FROM_HOLE) ^ (outer <= FROM_HOLE)
    return mask[ring].mean()


@given(
    st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=12, unique=True),
    st.sampled_from([0.0, 200.0, EDGE]),
)
def test_the_share_that_a_hand_hides_is_that_of_the_points_within_its_outline(corners, inner):
    hull = cv2.convexHull(np.array(corners, np.float32))[:, 0]
    outline = as_outline(hull)
    around = cv2.arcLength(hull, True)  # mm, with a point on each
    ring = math.pi * (MIDDLE**2 - inner**2)
    share = BoardReading((), hidden=(outline,)).hidden_share(inner, MIDDLE)
    assert share == pytest.approx(counted(outline, inner, MIDDLE), abs=(around + 10) / ring)


def test_an_outline_along_the_circle_hides_what_is_within_it():
    """As a hand's was seen, cut off at the middle of the ditch."""
    beyond = ((121.62235260009766, 334.1546630859375), (30.992584228515625, 354.246826171875))
    outline = ((175.0, 282.5), (177.5, 308.1147766113281), *beyond, (-41.741676330566406, 352.83164978027344))
    outline = (*outline, (-30.0, 330.0), (95.0, 265.0))
    share = BoardReading((), hidden=(outline,)).hidden_share(EDGE, MIDDLE)
    assert share == pytest.approx(counted(outline, EDGE, MIDDLE), abs=0.01)
