import doctest
import importlib
import pkgutil

import pytest

import controller.club.tournament

ROOM = controller.club.tournament
MODULES = [ROOM.__name__, *(f"{ROOM.__name__}.{module.name}" for module in pkgutil.iter_modules(ROOM.__path__))]
WITH_EXAMPLES = {"berger", "formats", "matching", "playoffs", "ratings", "record", "round_robin", "tournament"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    if name.rpartition(".")[2] in WITH_EXAMPLES - {"tournament"} or name.endswith("tournament.tournament"):
        assert result.attempted > 0
