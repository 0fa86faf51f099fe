"""The figures of a tally, and what they are held against."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from controller.vision.readings import SeenDisc
from tests.bench.samples import of, share
from tests.bench.tally import Tally, apart
from tests.bench.truth import TrueDisc

UNOBSTRUCTED = 0.02  # share of a disc that may be hidden
SEEABLE = 0.5  # share hidden beyond which nobody expects a disc to be read
CONTRAST = 15.0  # grey levels
CLEAR = 1.5  # mm from a decision

Pair = tuple[TrueDisc, SeenDisc | None]


@dataclass(frozen=True)
class Aim:
    """A figure that was aimed at."""

    what: str
    aim: str
    measured: str
    met: bool


class Figures:
    """How one reader did on one set of pictures."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally

    @cached_property
    def read(self) -> list[tuple[TrueDisc, SeenDisc]]:
        """Everything that was there and read."""
        return [(true, disc) for true, disc in self.tally.pairs if disc is not None]

    @cached_property
    def flat(self) -> list[tuple[TrueDisc, SeenDisc]]:
        """The unobstructed flat discs that were read."""
        return [(true, disc) for true, disc in self._unobstructed(lambda _: True) if disc is not None]

    @cached_property
    def plain(self) -> list[Pair]:
        """The unobstructed flat discs that stand out from the board."""
        return self._unobstructed(lambda disc: not disc.contrast < CONTRAST)

    @cached_property
    def faint(self) -> list[Pair]:
        """Those that hardly do."""
        return self._unobstructed(lambda disc: disc.contrast < CONTRAST)

    @cached_property
    def away(self) -> list[float]:
        """How far the flat discs were read from where they are, mm."""
        return [apart(true, disc) for true, disc in self.flat] or [math.nan]

    @property
    def rms(self) -> float:
        return math.sqrt(float(np.mean(np.square(self.away))))

    @property
    def most(self) -> float:
        """What 99 % of the flat discs' errors are within, mm."""
        return float(np.quantile(self.away, 0.99))

    @cached_property
    def wrong(self) -> list[SeenDisc]:
        """Discs read in another ring than the true one."""
        return [disc for true, disc in self.read if disc.zone != true.zone]

    @property
    def silent(self) -> int:
        return sum(disc.call == "sure" for disc in self.wrong)

    @cached_property
    def clear(self) -> list[SeenDisc]:
        """Flat discs that nobody need doubt."""
        return [disc for true, disc in self.flat if true.clearance is not None and abs(true.clearance) > CLEAR]

    def rows(self) -> list[tuple[str, str]]:
        """(figure, value) in words, in the order of the report."""
        return [*self._finding(), *self._measuring(), *self._calling(), *self._telling_sides(), *self._pictures()]

    def _finding(self) -> list[tuple[str, str]]:
        hidden = [p for p in self.tally.pairs if p[0].status == "flat" and UNOBSTRUCTED <= p[0].occluded < SEEABLE]
        ghosts = self.tally.ghosts
        counted = sum(ghost.call == "sure" and ghost.zone > 0 for ghost in ghosts)
        return [
            (f"found, flat, contrast at least {CONTRAST:.0f} grey levels", share(_seen(self.plain), len(self.plain))),
            ("found, flat, less contrast", share(_seen(self.faint), len(self.faint))),
            ("found, flat, up to half hidden", share(_seen(hidden), len(hidden))),
            ("in the hole: found, and read as such", self._posed("in_hole")),
            ("leaning into the hole: found, and read as such", self._posed("leaning")),
            ("ghosts", of(len(ghosts), len(self.tally.pairs))),
            ("of these sure, and counted", str(counted)),
        ]

    def _measuring(self) -> list[tuple[str, str]]:
        scores = [score for score in self.tally.scores if math.isfinite(score)]  # the baselines know no sigma
        return [
            ("position, RMS", f"{self.rms:.2f} mm"),
            ("position, 99 % within", f"{self.most:.2f} mm"),
            ("error over sigma: standard deviation", f"{np.std(scores):.2f} of {len(scores)}" if scores else "-"),
            ("error over sigma: beyond 3", share(sum(abs(score) > 3 for score in scores), len(scores))),
        ]

    def _calling(self) -> list[tuple[str, str]]:
        on_board = [disc for true, disc in self.read if true.status != "ditch"]
        return [
            ("ring right", share(len(self.read) - len(self.wrong), len(self.read))),
            ("**silent wrong**: sure of the wrong ring", of(self.silent, len(self.read))),
            ("close calls", share(sum(disc.call == "close" for disc in on_board), len(on_board))),
            (f"sure, of those more than {CLEAR} mm clear", share(_sure(self.clear), len(self.clear))),
        ]

    def _telling_sides(self) -> list[tuple[str, str]]:
        sides = self.tally.sides
        faint = [right for true, right in sides if true.contrast < CONTRAST]
        named = [(true, disc) for true, disc in self.read if not disc.colour.startswith("group")]  # by the baselines
        return [
            ("side right", share(sum(right for _, right in sides), len(sides))),
            ("side right, less contrast", share(sum(faint), len(faint))),
            ("colour's name right", share(sum(true.colour == disc.colour for true, disc in named), len(named))),
        ]

    def _pictures(self) -> list[tuple[str, str]]:
        totals = self.tally.totals
        return [
            ("pictures whose totals are exact, nothing asked", f"{totals['exact']} of {totals.total()}"),
            ("pictures with a question", f"{totals['asked']} of {totals.total()}"),
            ("**pictures silently wrong**", f"{totals['wrong']} of {totals.total()}"),
        ]

    def aims(self, ms: float) -> list[Aim]:
        """What was aimed at; a reading took `ms`."""
        found, faint = _share(_seen(self.plain), len(self.plain)), _share(_seen(self.faint), len(self.faint))
        ghosts = _share(len(self.tally.ghosts), len(self.tally.pairs))
        silent, sure = _share(self.silent, len(self.read)), _share(_sure(self.clear), len(self.clear))
        side = _share(sum(right for _, right in self.tally.sides), len(self.tally.sides))
        rows = dict(self.rows())
        return [
            Aim("flat discs found", "at least 99.5 %", share(_seen(self.plain), len(self.plain)), found >= 0.995),
            Aim("the same, less contrast", "at least 97 %", share(_seen(self.faint), len(self.faint)), faint >= 0.97),
            Aim("ghosts", "at most 0.2 %", rows["ghosts"], ghosts <= 0.002),
            Aim("position, RMS", "at most 0.4 mm", f"{self.rms:.2f} mm", self.rms <= 0.4),
            Aim("position, 99 %", "within 1.2 mm", f"{self.most:.2f} mm", self.most <= 1.2),
            Aim("silent wrong", "at most 0.1 %", of(self.silent, len(self.read)), silent <= 0.001),
            Aim("sure, where clear", "at least 95 %", share(_sure(self.clear), len(self.clear)), sure >= 0.95),
            Aim("side right", "at least 99.5 %", rows["side right"], side >= 0.995),
            Aim("a reading", "at most 15 ms", f"{ms:.1f} ms", ms <= 15),
        ]

    def _unobstructed(self, wanted: Callable[[TrueDisc], bool]) -> list[Pair]:
        return [
            (true, disc)
            for true, disc in self.tally.pairs
            if true.status == "flat" and true.occluded < UNOBSTRUCTED and wanted(true)
        ]

    def _posed(self, pose: str) -> str:
        pairs = [pair for pair in self.tally.pairs if pair[0].status == pose and pair[0].occluded < SEEABLE]
        right = sum(disc is not None and disc.pose == pose for _, disc in pairs)
        return f"{_seen(pairs)}, {right} of {len(pairs)}" if pairs else "-"


def _seen(pairs: list[Pair]) -> int:
    return sum(disc is not None for _, disc in pairs)


def _sure(discs: list[SeenDisc]) -> int:
    return sum(disc.call == "sure" for disc in discs)


def _share(events: int, trials: int) -> float:
    return events / trials if trials else math.nan
