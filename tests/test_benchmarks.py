"""Benchmarks take too long to run here: each can be started, and their page keeps what was measured apart from it."""

import importlib

import pytest

from tests.bench.__main__ import BENCHMARKS
from tests.bench.accuracy import DOCUMENT
from tests.bench.report import APART, PREFACE


@pytest.mark.parametrize("name", [*BENCHMARKS, "club", "sensitivity"])
def test_every_benchmark_can_be_started(name):
    assert callable(importlib.import_module(f"tests.bench.{name}").run)


def test_the_page_says_what_was_measured_apart_from_it():
    page = DOCUMENT.read_text("utf-8")
    assert page.startswith(PREFACE.read_text("utf-8"))
    assert page.endswith(APART.read_text("utf-8"))
