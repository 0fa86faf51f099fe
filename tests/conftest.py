"""What holds for all tests."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import served

# How long one example takes says more of the machine than of the program: no test here is a timed one.
settings.register_profile("table", deadline=None)
settings.load_profile("table")

served.check_all_that_is_served()


@pytest.fixture(autouse=True)
def _served_as_the_schema_says() -> Iterator[None]:
    """Whatever a scoreboard answers in a test is as the schema says."""
    yield
    found = served.wrong[:5]
    served.wrong.clear()
    assert not found, "\n".join(found)
