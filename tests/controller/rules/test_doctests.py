import doctest
import importlib
import pkgutil

import pytest

import controller.rules

MODULES = ["controller.rules", *(f"controller.rules.{m.name}" for m in pkgutil.iter_modules(controller.rules.__path__))]
WITH_EXAMPLES = {"judge", "match", "formats", "geometry", "shots", "record", "explain", "texts", "describe"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    if name.rpartition(".")[2] in WITH_EXAMPLES | {"rules"}:
        assert result.attempted > 0
