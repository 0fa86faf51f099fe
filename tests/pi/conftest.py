"""`make test` leaves these alone: `make test-pi` runs them, once for each system that CROKINOLE_PI names."""

import os

import pytest

from tests.pi.machine import Pi

SUITE = os.environ.get("CROKINOLE_PI")
collect_ignore_glob = {None: ["*"], "arm64": ["test_installed.py", "test_image.py"]}.get(SUITE, ["test_arm64.py"])


@pytest.fixture(scope="session")
def pi():
    """A Raspberry Pi as the imager leaves it, switched on, in a network."""
    with Pi(SUITE) as pi:
        pi.plug_in()
        pi.boot()
        yield pi
