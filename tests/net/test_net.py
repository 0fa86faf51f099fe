import pytest

from tests.net.kept import KINDS, differences, steps
from tests.slow import slow

QUICK = {
    "0003-carrom-maker-points-four-by-hand",
    "0008-family-rounds-singles-by-hand",
    "0026-family-points-doubles-by-hand",
    "0031-carrom-maker-points-singles-by-camera",
    "0032-family-points-singles-by-camera",
    "pools",
}
"""Of a hundred matches and five evenings, those that `make test` plays."""


@pytest.mark.parametrize(
    ("kind", "name"),
    [pytest.param(kind, name, marks=() if name in QUICK else slow) for kind in KINDS for name in steps(kind)],
)
def test_people_see_what_they_saw(kind, name):
    assert not (found := differences(kind, name)), "\n".join(found)
