"""A round that is filmed again: pictures that are traced piece by piece are those that are traced whole."""

from dataclasses import replace
from typing import Any

import numpy as np

from tests.bench import hard, refilmed
from tests.bench.materials import DISCS
from tests.bench.shapes import Finish
from tests.bench.tracing import Table
from tests.slow import slow

PATH = [[0.1, 20.0, -560.0, 40.0], [0.3, 60.0, -300.0, 0.0], [0.5, 60.0, -300.0, 0.0], [0.9, 60.0, -100.0, 0.0]]
KEYS = [
    {"t": 0.1, "g": PATH[0][1:], "pose": "pinch", "dir": 1.6},
    {"t": 0.3, "g": PATH[1][1:], "pose": "flick0", "dir": 1.5},
    {"t": 0.7, "g": [150.0, 40.0, 10.0], "pose": "open", "dir": 1.2},
    {"t": 1.0, "g": [30.0, -620.0, 40.0], "pose": "relaxed", "dir": 1.6},
]
TRUTH: dict[str, Any] = {
    "discs": [{"path": PATH}],
    "hands": [{"side": "A", "seat_angle": -1.57, "left": False, "keys": KEYS}],
    "mug": [[0.4, -504.0, -190.0], [0.8, -504.0, -60.0]],
}
ARM = 18  # limbs
WHITE = 0.6  # of full scale


def _filmed() -> refilmed.Filmed:
    random = np.random.default_rng(3)
    table = hard.table_of(replace(hard.TOURNAMENT, surface_height=refilmed.FLOOR), hard.faint(random), random)
    table: Table = replace(table, camera=table.camera.scaled(240, 180))
    plain = Finish((0.5, 0.4, 0.3))
    return refilmed.Filmed(TRUTH, table, (DISCS["red"],), {"A": (plain, plain)}, plain)


@slow
def test_a_picture_at_rest_is_the_same_whatever_was_traced_before_it():
    film = refilmed.Camera(_filmed(), WHITE)
    empty = film.picture.copy()
    seen = [film.look(t) for t in np.arange(0.0, 1.3, 1 / 15)]
    assert any(seen)
    assert not film.look(1.4)  # nothing moves any more
    fresh = refilmed.Camera(_filmed(), WHITE)
    fresh.look(1.4)
    assert fresh.look(1.5)  # what came is traced finely in the second picture that shows it at rest
    assert np.abs(film.picture - fresh.picture).max() < 2.0  # grey levels: the noise has that much
    assert np.abs(film.picture - empty).max() > 50.0  # the disc


def test_an_arm_is_seen_only_while_it_is_there():
    filmed = _filmed()
    parts = [len(filmed.shapes_at(t)) for t in (0.0, 0.2, 0.6, 1.2)]
    assert parts == [0, 1 + ARM, 2 + ARM, 2]  # a disc, and later a mug, stay
