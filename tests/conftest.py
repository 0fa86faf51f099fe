"""What holds for all tests."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import settings

# How long one example takes says more of the machine than of the program: no test here is a timed one.
settings.register_profile("table", deadline=None)
settings.load_profile("table")

# In a guest and on a Pi's system the tests of devices and vision run, without the libraries for development.
if find_spec("jsonschema_rs"):
    from tests import served

    served.check_all_that_is_served()

    @pytest.fixture(autouse=True)
    def _served_as_the_schema_says() -> Iterator[None]:
        """Whatever a scoreboard answers in a test is as the schema says."""
        yield
        found = served.wrong[:5]
        served.wrong.clear()
        assert not found, "\n".join(found)
