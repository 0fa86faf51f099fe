"""`simulate`: whole matches through the whole pipeline, compared with what really happened.

The truth of the simulated table is read here, after the fact, and nowhere else.
"""

import math
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory

from controller import events as ev
from controller import rules
from controller.engine import Engine
from controller.journal import Journal
from controller.match import MatchState
from controller.simulation.setting import SimulatedSetting
from controller.vision.eye import Eye
from controller.vision.lookout import Lookout
from firmware_bridge.delivery import Gap
from hardware.devices import HoleEvent, ManualClock

COLOURS = {"A": "black", "B": "natural"}
SAME_DISC = 10.0  # mm: a disc told this near to a true one is that one; any farther is a missed disc
LONGEST = 4 * 3600.0  # simulated seconds: a match that takes longer has got stuck, and is counted as it stands


@dataclass(slots=True)
class Counts:
    """What FORMATS promises; sums over matches. The two `ms_per_` are totals here and become means in `report`."""

    shots: int = 0
    verdicts_right: int = 0
    verdicts_wrong: int = 0
    rounds: int = 0
    rounds_exact: int = 0
    asked: int = 0
    silent_wrong_discs: int = 0
    silent_wrong_rounds: int = 0
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

    def add(self, other: "Counts") -> None:
        """Add another match's counts."""
        for f in fields(self):
            setattr(self, f.name, getattr(self, f.name) + getattr(other, f.name))

    def report(self) -> dict[str, float]:
        """The document that `simulate --json` prints."""
        document = asdict(self)
        document["ms_per_gate"] = round(self.ms_per_gate / max(self.frames, 1), 3)
        document["ms_per_read"] = round(self.ms_per_read / max(self.reads, 1), 2)
        document["simulated_seconds"] = round(self.simulated_seconds, 1)
        document["wall_seconds"] = round(self.wall_seconds, 1)
        return document


def simulate(matches: int, rules_id: str, seed: int, faults: tuple[str, ...] = (), workers: int = 1) -> Counts:
    """Play that many matches, seeds counting up from `seed`, and compare. Any number of workers, the same counts."""
    begun = time.perf_counter()
    total = Counts()
    jobs = [(rules_id, seed + k, faults) for k in range(matches)]
    if workers == 1:
        for job in jobs:
            total.add(play(*job))
    else:
        with ProcessPoolExecutor(workers) as pool:
            for counts in pool.map(play, *zip(*jobs, strict=True)):
                total.add(counts)
    total.wall_seconds = time.perf_counter() - begun
    return total


def play(rules_id: str, seed: int, faults: tuple[str, ...] = (), format_: dict[str, object] | None = None) -> Counts:
    """One whole match, in the rule set's usual format if no other is given."""
    with TemporaryDirectory(prefix="crokinole-") as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        start = {"rules": rules_id, "format": format_}
        try:
            return _play(journal, start, seed, faults)
        finally:
            journal.close()


def _play(journal: Journal, start: Mapping[str, object], seed: int, faults: tuple[str, ...]) -> Counts:
    clock = ManualClock()
    engine = Engine(journal, name="Simulated", simulated=True, wall=clock.now)
    sides = [{"name": COLOURS[s].capitalize(), "colour": COLOURS[s]} for s in "AB"]
    engine.command({"do": "start", **start, "sides": sides, "starter": "A"})
    assert engine.state is not None
    gaps: list[Gap] = []

    def on_gap(gap: Gap) -> None:
        gaps.append(gap)
        engine.gap(gap.stream, gap.sequence)
        setting.hole.acknowledge(gap)

    setting = SimulatedSetting(engine.state.game, clock, seed=seed, colours=COLOURS, faults=faults, on_gap=on_gap)
    engine.level = setting.hole.occupied
    comparison = Comparison(setting)
    engine.on_events.append(comparison.seen)
    eye = Eye()
    lookout = Lookout(eye)

    def on_hole(event: HoleEvent) -> None:
        engine.hole(event)
        setting.hole.acknowledge(event)

    for frame in setting.frames(on_hole):
        for observation in lookout.see(frame):
            engine.observe(observation)
        if setting.table.over or frame.t > LONGEST:
            break
    setting.close()
    counts = comparison.counts(engine.state)
    figures = lookout.watcher.figures
    counts.frames, counts.reads = figures.frames, figures.readings
    counts.ms_per_gate, counts.ms_per_read = 1000 * figures.gate_seconds, 1000 * figures.read_seconds
    counts.simulated_seconds = setting.table.t
    counts.events_lost = sum(gap.sequence - gap.first + 1 for gap in gaps)
    return counts


class Comparison:
    """What the table said, held against what really happened."""

    def __init__(self, setting: SimulatedSetting) -> None:
        self._setting = setting
        self._asked = 0
        self._questions: dict[int, int] = {}
        self._boards: dict[int, dict[str, ev.Measured]] = {}

    def seen(self, events: Iterable[ev.Event], state: MatchState) -> None:
        """Take note of what the table put in its journal."""
        for event in events:
            if isinstance(event, ev.QuestionAsked):
                self._asked += 1
                self._questions[event.round] = self._questions.get(event.round, 0) + 1
        self._boards[state.game.round.number] = dict(state.on_board)

    def counts(self, state: MatchState) -> Counts:
        """The sums for one match."""
        truth = self._setting.umpire.match
        counts = Counts(asked=self._asked)
        seen_rounds = {r.number: r for r in rounds_of(state.game)}
        for true in rounds_of(truth):
            seen = seen_rounds.pop(true.number, None)
            self._compare_shots(counts, true, seen)
            if true.finished:
                self._compare_round(counts, true, seen)
        counts.false_events += len(seen_rounds)
        return counts

    def _compare_shots(self, counts: Counts, true: "PlayedRound", seen: "PlayedRound | None") -> None:
        told = {shot.disc: (shot, judgement) for shot, judgement in seen.shots} if seen else {}
        for shot, judgement in true.shots:
            counts.shots += 1
            answer = told.pop(shot.disc, None)
            if answer is not None and _same_verdict(answer[1], judgement):
                counts.verdicts_right += 1
            else:
                counts.verdicts_wrong += 1
        counts.false_events += len(told)

    def _compare_round(self, counts: Counts, true: "PlayedRound", seen: "PlayedRound | None") -> None:
        counts.rounds += 1
        for side, number in true.twenties.items():
            told = seen.twenties.get(side, 0) if seen else 0
            counts.twenties += number
            counts.twenties_missed += max(number - told, 0)
            counts.twenties_extra += max(told - number, 0)
        exact = seen is not None and seen.finished and seen.totals == true.totals
        counts.rounds_exact += exact
        if not exact and not self._questions.get(true.number):
            counts.silent_wrong_rounds += 1
        measured = self._boards.get(true.number, {}).values()
        for x, y in true.places:
            at = min(measured, key=lambda m: math.hypot(m.x - x, m.y - y), default=None)
            if at is None or math.hypot(at.x - x, at.y - y) > SAME_DISC or at.call == "close":
                continue
            counts.silent_wrong_discs += at.zone != rules.zone(x, y)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round of a match, finished or not, as the comparison needs it."""

    number: int
    shots: tuple[tuple[rules.Shot, rules.Judgement], ...]
    totals: dict[str, int]
    twenties: dict[str, int]
    places: tuple[tuple[float, float], ...]
    finished: bool


def rounds_of(game: rules.Match) -> list[PlayedRound]:
    """Every round of a match in order, the running one last."""
    return [
        PlayedRound(
            r.number,
            tuple((s.shot, s.judgement) for s in r.shots),
            dict(r.totals),
            dict(r.twenty_counts),
            tuple((d.x, d.y) for d in r.board.discs.values()),
            r.complete,
        )
        for r in game.all_rounds
        if r.shots
    ]


def _same_verdict(a: rules.Judgement, b: rules.Judgement) -> bool:
    """Whether two verdicts say the same: discs of one side look alike, so which of them it was is nobody's loss."""
    return a.valid == b.valid and _off(a) == _off(b)


def _off(judgement: rules.Judgement) -> list[tuple[str, bool]]:
    """The side of each disc that is off, by the first letter of its id, and whether it is a twenty."""
    return sorted((removal.disc[0], removal.why == "twenty") for removal in judgement.removed)
