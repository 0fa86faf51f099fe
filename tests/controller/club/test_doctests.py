import doctest
import importlib
import pkgutil

import pytest

import controller.club.hub
import controller.club.tournament

ROOM = controller.club.tournament
MODULES = [
    room.__name__ + module
    for room in (ROOM, controller.club.hub)
    for module in ("", *(f".{module.name}" for module in pkgutil.iter_modules(room.__path__)))
]
WITH_EXAMPLES = {"formats", "matching", "open_night", "playoffs", "record", "round_robin", "tournament"} | {
    "organiser_actions",
    "views",
    "message_intake",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    if name.rpartition(".")[2] in WITH_EXAMPLES - {"tournament"} or name.endswith("tournament.tournament"):
        assert result.attempted > 0
