"""The terms of the model, in nats, by one table: `evidence_table.json`.

A term is a probability, or a length of a distribution; its row says where it comes from. The fitted ones are written by
`python -m tests.bench.evidence`, which anyone can run again.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from hardware.board import TOURNAMENT

FILE = Path(__file__).with_name("evidence_table.json")

SURFACE = math.pi * TOURNAMENT.surface_radius**2
"""mm2, over which an unknown place is spread evenly."""
IMPOSSIBLE = math.inf


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table. `low` and `high` bound what was fitted, at 95 %; `sample` is how much it was fitted on."""

    name: str
    value: float
    unit: Literal["probability", "mm"]
    source: str
    sample: int = 0
    low: float | None = None
    high: float | None = None


SECTIONS: Mapping[str, tuple[Row, ...]] = {
    title: tuple(Row(**row) for row in rows) for title, rows in json.loads(FILE.read_text(encoding="utf-8")).items()
}
TABLE = {row.name: row for rows in SECTIONS.values() for row in rows}


def document(sections: Mapping[str, Sequence[Row]]) -> str:
    """The table as its file has it: a row on each line."""
    parts = (
        f"  {json.dumps(title)}: [\n" + ",\n".join(f"    {json.dumps(_document(row))}" for row in rows) + "\n  ]"
        for title, rows in sections.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _document(row: Row) -> dict[str, Any]:
    """A row without what a judged one lacks."""
    return {name: value for name, value in asdict(row).items() if value is not None and (name, value) != ("sample", 0)}


@cache
def cost_of(name: str) -> float:
    """What it costs that this happened: minus the logarithm of its probability."""
    row = TABLE[name]
    assert row.unit == "probability", name
    return -math.log(row.value)


@cache
def cost_of_absence(name: str) -> float:
    """What it costs that this did not happen."""
    return -math.log1p(-TABLE[name].value)


@cache
def mm(name: str) -> float:
    """A length of the table."""
    row = TABLE[name]
    assert row.unit == "mm", name
    return row.value


def odds(name: str) -> float:
    """The logarithm of the odds that it happened."""
    return cost_of_absence(name) - cost_of(name)


def spread(away: float, sigma: float) -> float:
    """What it costs to lie so many mm from where a round normal distribution has its middle, per mm2."""
    return away**2 / (2 * sigma**2) + math.log(2 * math.pi * sigma**2)


def ring(away: float, sigma: float) -> float:
    """What it costs, per mm2, to lie so many mm off, where the distance is normal and the direction anything."""
    return away**2 / (2 * sigma**2) + math.log(sigma * math.sqrt(math.pi / 2)) + math.log(math.tau * max(away, NEAREST))


NEAREST = 0.1
"""mm: distances below that make no difference."""
ANYWHERE = math.log(SURFACE)
"""What it costs to lie at a place of the surface of which nothing is known, per mm2."""


def log_sum_exp(*costs: float) -> float:
    """What it costs that one of several things happened, each of which costs so much: they exclude each other."""
    least = min(costs)
    if math.isinf(least):
        return least
    return least - math.log(sum(math.exp(least - cost) for cost in costs))
