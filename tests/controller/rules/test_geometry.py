import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import clearance, nearest_line, zone

JUST = 1e-6


@pytest.mark.parametrize(("line", "inside", "outside"), [(101.6, 15, 10), (203.2, 10, 5), (304.8, 5, 0)])
def test_touching_a_line_is_the_lower_ring(line, inside, outside):
    touching = line - 25.4 / 32 - 15.9  # the centre of a disc that just touches the line's inner edge
    assert zone(0.0, touching - JUST) == inside
    assert zone(0.0, touching + JUST) == outside
    assert zone(touching + JUST, 0.0) == outside


places = st.tuples(st.floats(0.0, 330.0), st.floats(0.0, 2 * math.pi)).map(
    lambda p: (p[0] * math.cos(p[1]), p[0] * math.sin(p[1]))
)


@given(places)
def test_the_nearest_line_decides(at):
    line, gap = nearest_line(*at)
    assert gap == clearance(*at, line)
    assert all(abs(gap) <= abs(clearance(*at, other)) for other in ("fifteen", "ten", "outer"))
