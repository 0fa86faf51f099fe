"""The referee over matches that were observed before: what it told and asked, held against the truth.

`python -m tests.bench.referee FOLDER [FOLDER ..]` takes the matches that `tests.bench.observed` kept, in seconds each.
The truth in them is used for scoring alone. A match that two folders hold counts once. At the end come the sums, and
what was silently wrong by players, rules and faults. `--write FILE` keeps the counts of each match; `--against FILE`
shows only the matches of which more was told wrongly, or asked, than when that file was written.
"""

import argparse
import gc
import json
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.errors import Refused
from controller.journal import Journal
from controller.match import events as ev
from controller.match.state import MatchState
from controller.simulation.comparison import Comparison, RoundVerdict
from controller.simulation.counts import Counts
from controller.simulation.simulate import Sums
from controller.table.engine import Engine
from controller.tools.verbs import silence_table
from controller.vision.watching.observations import BoardRead
from tests.bench.observed import Input, Observed, kept

FIGURES = ("shots", "verdicts_right", "rounds", "rounds_exact", "asked", "silent_wrong_rounds", "silent_wrong_discs")
RIGHT = ("shots", "verdicts_right", "rounds", "rounds_exact")
MORE = (
    *("twenties_missed", "twenties_extra", "silent_twenties", "false_events", "touched"),
    *("shots_missed", "shots_invented", "rounds_astray"),
)


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


class Again:
    """One match's observations through one engine."""

    def __init__(self, observed: Observed, engine: type[Engine], folder: Path) -> None:
        self.observed = observed
        self.now = observed.inputs[0]
        self.comparison = Comparison()
        self.comparison.rested.update(observed.rested)
        self.told = Told(Counts(), [])
        self.journal = Journal(folder / "journal.sqlite")
        self.engine = engine(self.journal, wall=lambda: self.now.t, level=lambda: self.now.level, simulated=True)
        self.engine.on_happened.append(self._happened)

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
                self.engine.hole_changed(one.given[0])
            case "gap":
                self.engine.events_lost(one.given[0].stream, one.given[0].sequence)
            case "camera":
                self.engine.camera_changed(lost=one.given[0] is not None)
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


def told_by(observed: Observed) -> Told:
    """What the referee made of a match."""
    with TemporaryDirectory(prefix="refereed-") as folder:
        return Again(observed, Engine, Path(folder)).run()


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of the matches")
    parser.add_argument("--quiet", action="store_true", help="the sums alone")
    parser.add_argument("--write", type=Path, help="keeps the counts of each match")
    parser.add_argument("--against", type=Path, help="counts that were written before")
    given = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    sums: dict[str, Told] = {}
    counted: dict[str, dict[str, int]] = {}
    silence = Sums()
    played: set[str] = set()
    before = json.loads(given.against.read_text(encoding="utf-8")) if given.against else {}
    for folder in given.folders:
        for observed in kept(folder, given.only):
            if repr(observed.plan) in played:
                continue
            played.add(repr(observed.plan))
            gc.collect()
            gc.freeze()  # what is kept is the bench's own: a table has no such heap to look through
            told = told_by(observed)
            _add(sums.setdefault("faults" if observed.plan.faults else "no faults", Told(Counts(), [])), told)
            silence.add(observed.plan, told.counts)
            name = f"{folder.name} {observed.plan.title}"
            counted[name] = {figure: getattr(told.counts, figure) for figure in (*FIGURES, *MORE)}
            if not given.quiet and (name not in before or _worse(before[name], counted[name])):
                _differences(name, observed, told)
    _report(sums)
    print(
        "", *silence_table({**silence.total.report(), "bounds": silence.total.bounds(), "by": silence.by()}), sep="\n"
    )
    if given.write:
        given.write.write_text(json.dumps(counted, indent=1), encoding="utf-8")


def _worse(before: Mapping[str, int], now: Mapping[str, int]) -> bool:
    """Whether any figure of a match is worse than it was."""
    return any(now[name] < before[name] if name in RIGHT else now[name] > before[name] for name in now)


def _add(total: Told, told: Told) -> None:
    total.counts.add(told.counts)
    total.asked += told.asked
    total.amended += told.amended
    total.seconds += told.seconds
    total.boards += told.boards
    total.worst = max(total.worst, told.worst)


def _differences(name: str, observed: Observed, told: Told) -> None:
    """One block for a match of which something was told wrongly, or asked."""
    lines = []
    for verdict in told.rounds:
        if verdict.wrong:
            lines.append(f"  round {verdict.number}{' SILENT' * verdict.silent}: {'; '.join(verdict.wrong)}")
            lines.append(f"    {', '.join(verdict.told)}")
    lines += [f"  asked {question}" for question in told.asked]
    if lines:
        print(name, *observed.plan.faults)
        print("\n".join(lines), flush=True)


def _report(sums: dict[str, Told]) -> None:
    columns = sorted(sums)
    print("\n| figure | " + " | ".join(columns) + " |")
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
