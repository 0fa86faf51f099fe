"""The referee and the model that is to follow it, over the same observations: a table of their differences.

`python -m tests.bench.shadow FOLDER [FOLDER ..]` takes the matches that `tests.bench.observed` kept. The truth in them
is used for scoring alone.
"""

import argparse
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.errors import Refused
from controller.journal import Journal
from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee import Referee
from controller.referee.model.referee import ModelReferee
from controller.simulation.comparison import Comparison, RoundVerdict
from controller.simulation.counts import Counts
from controller.table.engine import Engine
from controller.table.listener import Listener
from controller.vision.watching.observations import BoardRead
from tests.bench.observed import Input, Observed, kept

FIGURES = ("shots", "verdicts_right", "rounds", "rounds_exact", "asked", "silent_wrong_rounds", "silent_wrong_discs")
MORE = ("twenties_missed", "twenties_extra", "silent_twenties", "false_events", "touched")


@dataclass(slots=True)
class Told:
    """What one referee made of one match."""

    counts: Counts
    rounds: list[RoundVerdict]
    asked: list[str] = field(default_factory=list)
    amended: int = 0
    seconds: float = 0.0
    worst: float = 0.0  # s, of one board
    boards: int = 0


class ShadowEngine(Engine):
    """The engine with another referee."""

    make: Callable[[], Any] = Referee

    def _start(self, command: cm.Start) -> None:
        super()._start(command)
        self.referee = type(self).make()


class ModelEngine(ShadowEngine):
    """The engine with the model."""

    make = ModelReferee


class Again:
    """One match's observations through one engine."""

    def __init__(self, observed: Observed, engine: type[ShadowEngine], folder: Path) -> None:
        self.observed = observed
        self.now = observed.inputs[0]
        self.comparison = Comparison()
        self.comparison.rested.update(observed.rested)
        self.told = Told(Counts(), [])
        self.journal = Journal(folder / "journal.sqlite")
        self.engine = engine(self.journal, wall=lambda: self.now.t, level=lambda: self.now.level, simulated=True)
        self.engine.listen(Listener(happened=self._happened))

    def run(self) -> Told:
        """Play it through; the truth is compared with what was told."""
        for one in self.observed.inputs:
            self.now = one
            if one.does == "flicked":
                self.comparison.shot()
                continue
            began = time.process_time()
            with suppress(Refused):
                self._give(one)
            self._timed(one, time.process_time() - began)
            if one.does == "observed" and isinstance(one.given[0], BoardRead) and self.engine.state is not None:
                self.comparison.seats = one.seats
                self.comparison.settled(self.engine.state, one.truth, hands=one.hands)
        assert self.engine.state is not None
        self.told.counts, self.told.rounds = self.comparison.counts(self.engine.state, self.observed.truth)
        self.journal.close()
        return self.told

    def _give(self, one: Input) -> None:
        match one.does:
            case "observed":
                self.engine.observe(one.given[0])
            case "hole":
                self.engine.hole(one.given[0])
            case "gap":
                self.engine.gap(one.given[0].stream, one.given[0].sequence)
            case "camera":
                self.engine.camera(lost=one.given[0] is not None)
            case "command":
                self._command(one)

    def _command(self, one: Input) -> None:
        """The start; and the tap that a round is over, only where this referee has missed its end."""
        if one.given[0]["do"] != "end_round":
            self.engine.command(one.given[0])
            return
        state = self.engine.state
        assert state is not None
        if state.confirmed < one.truth.round.number and state.game.round.complete and not state.over:
            self.comparison.touched.add(state.game.round.number)
            self.engine.command(one.given[0])

    def _timed(self, one: Input, seconds: float) -> None:
        if one.does == "observed" and isinstance(one.given[0], BoardRead):
            self.told.boards += 1
            self.told.seconds += seconds
            self.told.worst = max(self.told.worst, seconds)

    def _happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        if self.now.does != "command" or self.observed.inputs[0] is not self.now:
            self.comparison.seats = self.now.seats
            self.comparison.events(events, state, self.now.truth, self.now.t)
        for event in events:
            self.told.amended += isinstance(event, ev.Amended)
            if isinstance(event, ev.QuestionAsked):
                self.told.asked.append(f"{self.now.t:.0f}s r{event.round} {event.what}/{event.case} {event.discs}")


def told_by(observed: Observed, engine: type[ShadowEngine]) -> Told:
    """What the engine made of a match."""
    with TemporaryDirectory(prefix="shadow-") as folder:
        return Again(observed, engine, Path(folder)).run()


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of the matches")
    parser.add_argument("--quiet", action="store_true", help="the sums alone")
    given = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    sums: dict[tuple[str, str], Told] = {}
    for folder in given.folders:
        for observed in kept(folder, given.only):
            both = {"now": told_by(observed, ShadowEngine), "model": told_by(observed, ModelEngine)}
            for name, told in both.items():
                kind = "faults" if observed.plan.faults else "no faults"
                _add(sums.setdefault((kind, name), Told(Counts(), [])), told)
            if not given.quiet:
                _differences(observed, both)
    _report(sums)


def _add(total: Told, told: Told) -> None:
    total.counts.add(told.counts)
    total.asked += told.asked
    total.amended += told.amended
    total.seconds += told.seconds
    total.boards += told.boards
    total.worst = max(total.worst, told.worst)


def _differences(observed: Observed, both: dict[str, Told]) -> None:
    """One block for a match that the two tell differently, or wrongly."""
    lines = []
    for name, told in both.items():
        for verdict in told.rounds:
            if verdict.wrong:
                lines.append(
                    f"  {name:6} round {verdict.number}{' SILENT' * verdict.silent}: {'; '.join(verdict.wrong)}"
                )
                lines.append(f"         {', '.join(verdict.told)}")
        lines += [f"  {name:6} asked {question}" for question in told.asked]
    if lines:
        print(observed.plan.title, *observed.plan.faults)
        print("\n".join(lines), flush=True)


def _report(sums: dict[tuple[str, str], Told]) -> None:
    columns = sorted(sums)
    print("\n| figure | " + " | ".join(" ".join(column) for column in columns) + " |")
    print("| --- " * (len(columns) + 1) + "|")
    for name in (*FIGURES, *MORE):
        print(f"| {name} | " + " | ".join(str(getattr(sums[c].counts, name)) for c in columns) + " |")
    last = {
        "amendments": [str(sums[c].amended) for c in columns],
        "ms a board": [str(round(1000 * sums[c].seconds / max(sums[c].boards, 1), 2)) for c in columns],
        "ms at worst": [str(round(1000 * sums[c].worst, 1)) for c in columns],
    }
    for name, figures in last.items():
        print(f"| {name} | " + " | ".join(figures) + " |")


if __name__ == "__main__":
    main()
