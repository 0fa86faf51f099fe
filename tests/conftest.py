"""What holds for all tests."""

import random
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import chromium

# How long one example takes says more of the machine than of the program: no test here is a timed one.
settings.register_profile("table", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("table")


def pytest_addoption(parser):
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run files, and the tests of each, in another order")


def pytest_collection_modifyitems(config, items):
    seed = config.getoption("--shuffle")
    if seed is not None:
        dice = random.Random(seed)
        files = {item.path: dice.random() for item in items}
        items.sort(key=lambda item: (files[item.path], dice.random()))


@pytest.fixture(scope="session")
def browser():
    """The one of this process: Playwright can't be started twice in one."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium; `python -m tests.browser` installs one")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path)
        yield launched
        launched.close()


# In a guest and on a Pi's system the tests of devices and vision run, without the libraries for development.
if find_spec("jsonschema_rs"):
    from tests import served

    served.check_all_that_is_served()

    @pytest.fixture(autouse=True)
    def _served_as_the_schema_says():
        """Whatever a scoreboard answers in a test is as the schema says."""
        yield
        found = served.wrong[:5]
        served.wrong.clear()
        assert not found, "\n".join(found)
