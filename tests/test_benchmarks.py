"""The benchmarks take too long to run here; that they can be started is held."""

import importlib

import pytest

from tests.bench.__main__ import BENCHMARKS


@pytest.mark.parametrize("name", [*BENCHMARKS, "endurance", "sensitivity"])
def test_every_benchmark_can_be_started(name):
    assert callable(importlib.import_module(f"tests.bench.{name}").run)
