"""Simulated matches as the table observed them, kept in files: readings, films, hole edges, gate words and the truth.

`python -m tests.bench.observed FOLDER --seed 7 --matches 8 [--faults random]` plays matches and keeps one file of each;
matches that are there already are not played again. With `--faults random` half of the matches have faults, and
`--faulty` plays that half alone. A trial of the referee over such files takes seconds, where a match played anew takes
half a minute. The truth in them is for scoring and fitting alone.
"""

import argparse
import gzip
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from controller import rules
from controller.journal import Journal
from controller.match.seating import Directions
from controller.simulation.plan import RANDOM, MatchPlan, plans
from controller.simulation.playing import SimulatedMatch
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.watching.observations import BoardRead, Observation, ReadingFailed
from firmware_bridge.delivery import Gap
from hardware.devices import HoleEvent
from hardware.simulated.scene import TrueShot


@dataclass(frozen=True, slots=True)
class Input:
    """One thing that came in, with what was true then. `does` names the engine's method, or is `flicked`."""

    does: str
    given: tuple[Any, ...]
    t: float
    truth: rules.Match
    hands: bool = False  # over the board, or something moves
    level: bool | None = None  # of the hole's sensor
    seats: Directions | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """One match: everything that came in, in order, and what really happened."""

    plan: MatchPlan
    inputs: tuple[Input, ...]
    shots: tuple[TrueShot, ...]
    rested: dict[tuple[int, str], float]
    truth: rules.Match


GIVEN = {
    "observed": "observed",
    "hole": "hole_changed",
    "gap": "events_lost",
    "command": "command",
    "camera": "camera_changed",
}
"""The pipeline's method that takes each kind of input."""


class ObservedMatch(SimulatedMatch):
    """A simulated match that keeps what its pipeline is given."""

    def __init__(self, journal: Journal, plan: MatchPlan) -> None:
        super().__init__(journal, plan, 30.0, None)
        self.inputs: list[Input] = [Input("command", (plan.start,), 0.0, self._setting.umpire.match)]
        for name, does in GIVEN.items():
            setattr(self._pipeline, does, self._keeping(name, getattr(self._pipeline, does)))

    def _keeping(self, name: str, does: Any) -> Any:
        def keep(given: Observation | HoleEvent | Gap | dict[str, Any] | str | None) -> None:
            if isinstance(given, BoardRead | ReadingFailed):
                given = replace(given, picture=None)  # type: ignore[arg-type]
            self._keep(name, given)
            does(given)

        return keep

    def _keep(self, name: str, *given: Any) -> None:
        hole = self._setting.hole
        now = (self._t, self._setting.umpire.match, self._calm is None, hole.occupied(), self._true_seats())
        self.inputs.append(Input(name, given, *now))

    def _follow_truth(self, t: float) -> None:
        flicked = self._flicked
        super()._follow_truth(t)
        if self._flicked > flicked:
            self._keep("flicked")

    def observed(self) -> Observed:
        """Play the match to its end."""
        self.play()
        setting = self._setting
        return Observed(
            self._plan,
            tuple(self.inputs),
            tuple(setting.table.truth.shots),
            dict(self._comparison.rested),
            setting.umpire.match,
        )


def keep(folder: Path, plan: MatchPlan) -> None:
    """Play one match and keep what was observed, unless it is there already."""
    path = folder / f"{plan.number:04}.pickle.gz"
    if path.exists():
        return
    with TemporaryDirectory(prefix="observed-") as place:
        journal = Journal(Path(place) / "journal.sqlite")
        try:
            observed = ObservedMatch(journal, plan).observed()
        finally:
            journal.close()
    part = path.with_suffix(".part")
    with gzip.open(part, "wb", compresslevel=4) as file:
        _Pickler(file, protocol=pickle.HIGHEST_PROTOCOL).dump(observed)
    part.rename(path)


def kept(folder: Path, only: Sequence[int] | None = None) -> Iterator[Observed]:
    """The matches of a folder, or `only` those, by number. Only for files that `keep` wrote: they are pickles."""
    for path in sorted(folder.glob("*.pickle.gz")):
        if only and int(path.name[:4]) not in only:
            continue
        with gzip.open(path, "rb") as file:
            observed = pickle.load(file)
        assert isinstance(observed, Observed)
        for one in observed.inputs:
            if one.given and isinstance(one.given[0], BoardRead):
                _complete(one.given[0].reading)
        yield observed


def _complete(reading: BoardReading) -> None:
    """Give a reading that was kept before it had all of today's members their defaults."""
    values: tuple[BoardReading | SeenDisc, ...] = (reading, *reading.discs)
    for value in values:
        for member in fields(value):
            if not hasattr(value, member.name):
                object.__setattr__(value, member.name, member.default)


class _Pickler(pickle.Pickler):
    """Boards hold read-only mappings, which pickle does not know."""

    def reducer_override(self, obj: Any) -> Any:
        return (_read_only, (dict(obj),)) if isinstance(obj, MappingProxyType) else NotImplemented


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--faults", choices=("none", RANDOM), default=RANDOM)
    parser.add_argument("--faulty", action="store_true", help="only the matches with faults")
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    for plan in plans(told.matches, "all", told.seed, (RANDOM,) if told.faults == RANDOM else ())[told.first :]:
        if told.faulty and not plan.faults:
            continue
        keep(told.folder, plan)
        print(plan.title, *plan.faults, flush=True)


if __name__ == "__main__":
    from tests.bench import observed

    observed.main()  # so that what is kept names this module and not `__main__`
