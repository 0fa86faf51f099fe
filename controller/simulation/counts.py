"""The counts of `simulate`, and their confidence bounds."""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from statistics import quantiles
from typing import Any

from controller.views.history.accuracy import bounds

Z = 1.96  # standard errors: 95 % lie within
HOURS = 3600.0


@dataclass(slots=True)
class Counts:
    """Sums over matches. The two `ms_per_` are totals here and become means in `report`."""

    shots: int = 0
    verdicts_right: int = 0
    verdicts_wrong: int = 0
    rounds: int = 0
    rounds_exact: int = 0
    asked: int = 0
    silent_wrong_discs: int = 0
    silent_wrong_rounds: int = 0
    silent_wrong_verdicts: int = 0
    """Shots missed, invented or judged wrongly in rounds without a question, whatever the round's totals."""
    twenties: int = 0
    twenties_missed: int = 0
    twenties_extra: int = 0
    false_events: int = 0
    events_lost: int = 0
    frames: int = 0
    reads: int = 0
    ms_per_gate: float = 0.0
    ms_per_read: float = 0.0
    simulated_seconds: float = 0.0
    wall_seconds: float = 0.0
    touched: int = 0
    """Rounds that people had to end with a tap, since the table was not sure of their end."""
    seats_wrong: int = 0
    """Shots shown while the table was sure of wrong seats."""
    seats_unknown: int = 0
    """Shots shown while the table was not sure of the seats."""
    silent_twenties: int = 0
    """Twenties missed or extra in rounds without a question."""
    shots_missed: int = 0
    shots_invented: int = 0
    rounds_astray: int = 0
    """Rounds in which more than three shots were missed, invented or judged wrongly."""
    cpu_seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    """Simulated seconds to a shot's verdict, from when all discs rest and no hand is over the board."""
    work: list[float] = field(default_factory=list)
    """Processor seconds from gate to journal for the picture that led to each verdict."""

    def add(self, other: "Counts") -> None:
        """Add another match's counts."""
        for f in fields(self):
            setattr(self, f.name, getattr(self, f.name) + getattr(other, f.name))

    def report(self) -> dict[str, Any]:
        """The figures by name."""
        document = asdict(self)
        document["ms_per_gate"] = round(self.ms_per_gate / max(self.frames, 1), 3)
        document["ms_per_read"] = round(self.ms_per_read / max(self.reads, 1), 2)
        for name in ("simulated_seconds", "wall_seconds", "cpu_seconds"):
            document[name] = round(document[name], 1)
        document["latency"] = {"to_verdict_ms": _percentiles(self.latencies), "work_ms": _percentiles(self.work)}
        del document["latencies"], document["work"]
        return document

    def bounds(self) -> dict[str, tuple[float, float]]:
        """95 % confidence bounds of the most important shares and rates per hour of play."""
        hours = self.simulated_seconds / HOURS
        return self.silence() | {
            "verdicts_right": share(self.verdicts_right, self.shots),
            "rounds_exact": share(self.rounds_exact, self.rounds),
            "asked_a_shot": rate(self.asked, self.shots),
            "false_events_an_hour": rate(self.false_events, hours),
        }

    def silence(self) -> dict[str, tuple[float, float]]:
        """95 % confidence bounds of the shares of rounds, of verdicts and of shot discs that were silently wrong."""
        return {
            "silent_wrong_rounds": share(self.silent_wrong_rounds, self.rounds),
            "silent_wrong_verdicts": share(min(self.silent_wrong_verdicts, self.shots), self.shots),
            "silent_wrong_discs": share(min(self.silent_wrong_discs, self.shots), self.shots),
        }


def share(count: int, of: int) -> tuple[float, float]:
    """Clopper and Pearson's exact interval of a share (Biometrika 26, 1934): it contains the true share with at least
    95 % probability.

    >>> share(0, 100), share(1, 400), share(997, 1000)
    ((0.0, 0.0362), (0.0001, 0.0138), (0.9913, 0.9994))
    """
    least, most = bounds(count, of)
    return round(least, 4), round(most, 4)


def rate(count: int, exposure: float) -> tuple[float, float]:
    """Bounds of a rate per unit of `exposure`: Byar's approximation to Poisson's.

    >>> rate(0, 10.0), rate(4, 10.0)
    ((0.0, 0.3668), (0.1076, 1.0241))
    """
    if exposure <= 0:
        return 0.0, 0.0
    low = count * (1 - 1 / (9 * count) - Z / (3 * math.sqrt(count))) ** 3 if count else 0.0
    high = (count + 1) * (1 - 1 / (9 * (count + 1)) + Z / (3 * math.sqrt(count + 1))) ** 3
    return round(low / exposure, 4), round(high / exposure, 4)


def _percentiles(seconds: Iterable[float]) -> dict[str, float]:
    """Median and 99th percentile in milliseconds."""
    values = sorted(seconds)
    if len(values) < 2:
        return {"p50": 0.0, "p99": 0.0}
    cuts = quantiles(values, n=100, method="inclusive")
    return {"p50": round(1000 * cuts[49], 1), "p99": round(1000 * cuts[98], 1)}
