"""The figures of a soak, with what they should be, as a table."""

import os
import statistics
from dataclasses import dataclass
from pathlib import Path

SPARE = 0.1
"""Share of the machine that other programs may take, and that must be idle: on a busier one a time says nothing."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, and the most that it should be. `timed`: it depends on how busy the machine is."""

    name: str
    value: float
    unit: str = ""
    most: float | None = None
    timed: bool = False

    @property
    def kept(self):
        """Whether it is what it should be."""
        return self.most is None or self.value <= self.most


def percentile(values, share):
    """The value below which this share of the values lies."""
    if len(values) < 2:
        return values[0] if values else float("nan")
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


class Machine:
    """How busy the machine is, from Linux's own counts, since this was made."""

    def __init__(self):
        self._began = self._counts()

    @staticmethod
    def _counts():
        """Seconds that the processors had, and that they were idle."""
        fields = [int(n) for n in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        tick = os.sysconf("SC_CLK_TCK")
        return sum(fields) / tick, (fields[3] + fields[4]) / tick

    def shares(self, ours):
        """The shares that were idle, and that others took; `ours`: seconds that the soak and its service took."""
        total, idle = (now - then for now, then in zip(self._counts(), self._began, strict=True))
        return idle / total, max(0.0, 1 - (idle + ours) / total)


def judged(idle, others):
    """Whether times on this machine say something."""
    return idle >= SPARE and others <= SPARE


def table(figures, quiet):
    """The figures as a table in Markdown; on a machine that was not `quiet` no time is judged."""
    lines = ["| what | figure | at most | |", "| --- | --: | --: | --- |"]
    for figure in figures:
        most = "" if figure.most is None else f"{figure.most:g}"
        verdict = "" if figure.most is None else "kept" if figure.kept else "**not kept**"
        if figure.most is not None and figure.timed and not quiet:
            verdict = "not judged: the machine was busy"
        whole = float(figure.value).is_integer() or abs(figure.value) >= 100
        value = f"{figure.value:{',.0f' if whole else '.3g'}} {figure.unit}".rstrip()
        lines.append(f"| {figure.name} | {value} | {most} | {verdict} |")
    return "\n".join(lines)
