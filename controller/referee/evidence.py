"""The terms of the model in nats, from one table: `evidence_table.json`.

A term is a probability, or the scale of a distribution; its row names its source.
"""

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from hardware.board import TOURNAMENT

FILE = Path(__file__).with_name("evidence_table.json")

SURFACE = math.pi * TOURNAMENT.surface_radius**2
"""mm2, over which an unknown place is uniformly distributed."""
IMPOSSIBLE = math.inf


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table. `low`, `high`: 95 % bounds of a fitted value; `sample`: its sample size."""

    name: str
    value: float
    unit: Literal["probability", "mm"]
    source: str
    sample: int = 0
    low: float | None = None
    high: float | None = None


TABLE = {row["name"]: Row(**row) for rows in json.loads(FILE.read_text(encoding="utf-8")).values() for row in rows}


@cache
def cost_of(name: str) -> float:
    """The cost of this event: minus the logarithm of its probability."""
    row = TABLE[name]
    assert row.unit == "probability", name
    return -math.log(row.value)


@cache
def cost_of_absence(name: str) -> float:
    """The cost of this event's absence."""
    return -math.log1p(-TABLE[name].value)


@cache
def mm(name: str) -> float:
    """A length of the table."""
    row = TABLE[name]
    assert row.unit == "mm", name
    return row.value


def odds(name: str) -> float:
    """The log-odds of this event."""
    return cost_of_absence(name) - cost_of(name)


def spread(away: float, sigma: float) -> float:
    """Nats per mm2 at this distance (mm) from the centre of a circular normal distribution."""
    return away**2 / (2 * sigma**2) + math.log(2 * math.pi * sigma**2)


def ring(away: float, sigma: float) -> float:
    """Nats per mm2 at this distance (mm), for a normal distance in a uniform direction."""
    return away**2 / (2 * sigma**2) + math.log(sigma * math.sqrt(math.pi / 2)) + math.log(math.tau * max(away, NEAREST))


NEAREST = 0.1
"""mm: shorter distances make no difference."""
ANYWHERE = math.log(SURFACE)
"""Nats per mm2 for a place anywhere on the surface."""


def log_sum_exp(*costs: float) -> float:
    """The cost of one of several mutually exclusive events with these costs."""
    least = min(costs)
    if math.isinf(least):
        return least
    return least - math.log(sum(math.exp(least - cost) for cost in costs))
