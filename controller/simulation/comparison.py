"""Compares the table's record with the simulation's truth, which only this module reads, and only afterwards; and
counts the differences, with confidence bounds."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from statistics import quantiles
from typing import Any

import numpy as np

from controller import rules
from controller.match import events as ev
from controller.match.seating import SIDES_OF_THE_BOARD, Directions, Seating, clockwise
from controller.match.state import MatchState
from controller.rules.alignment import Aligned, align
from controller.views.history.accuracy import bounds
from controller.vision.calibration.camera import Camera
from controller.vision.readings import AT_HOLE
from hardware.board import TOURNAMENT, seat_angle
from hardware.simulated.lens import CameraPose

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


SAME_DISC = 10.0  # mm: a shown disc within this distance of a true one is the same disc
ASTRAY = 3  # wrong shots: with more of them, the table lost track of the round
EARLIER = 0.5  # s: a verdict this long before the discs rest belongs to an earlier shot


@dataclass(frozen=True, slots=True)
class ComparedRound:
    """One round of a match, finished or not, for the comparison."""

    number: int
    shots: tuple[tuple[rules.Shot, rules.Judgement], ...]
    totals: dict[str, int]
    twenties: dict[str, int]
    finished: bool


@dataclass(frozen=True, slots=True)
class RoundVerdict:
    """The comparison of one round, in words for the report; `wrong` is empty when everything is right."""

    number: int
    wrong: tuple[str, ...]
    silent: bool
    told: tuple[str, ...] = ()  # the shots as recorded: disc, and valid or the reason for a foul


@dataclass(slots=True)
class Comparison:
    """Collects differences while the match runs; `counts` sums them up."""

    asked: int = 0
    early_ends: int = 0
    seats: Directions | None = None  # in the present calibration's frame, see `true_directions`
    rested: dict[tuple[int, str], float] = field(default_factory=dict)  # (round, disc): when its shot was over
    seen_at: dict[tuple[int, str], float] = field(default_factory=dict)  # (round, disc): when the table showed it
    latencies: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    seats_wrong: list[int] = field(default_factory=list)  # the round of each shot shown with wrong seats
    seats_unknown: int = 0
    _open: dict[int, set[int]] = field(default_factory=dict)  # open questions by round
    _suspects: set[tuple[int, str, str]] = field(default_factory=set)
    _wrong_discs: set[tuple[int, str, str]] = field(default_factory=set)

    def events(self, events: Iterable[ev.Event], state: MatchState, truth: rules.Match, t: float) -> list[ev.ShotSeen]:
        """Note the events that the table wrote to its journal at `t`, and return the shots among them."""
        shots = []
        for event in events:
            if isinstance(event, ev.QuestionAsked):
                self.asked += 1
            elif isinstance(event, ev.RoundEnded) and event.how == "swept":
                self.early_ends += not any(r.complete for r in truth.all_rounds if r.number >= state.confirmed)
            elif isinstance(event, ev.Amended):
                self._amended(event, t)
            elif isinstance(event, ev.ShotSeen):
                self.seen_at[state.game.round.number, event.disc] = t
                self._seated(state)
                shots.append(event)
        number = state.game.round.number
        self._open[number] = {q.id for q in state.questions.values() if q.asked.round == number}
        return shots

    def _amended(self, amended: ev.Amended, t: float) -> None:
        """Note shots that an amendment added."""
        shots = {one.event.disc for one in amended.revised if isinstance(one.event, ev.ShotSeen)}
        self.seen_at = dict.fromkeys(((amended.round, disc) for disc in shots), t) | self.seen_at

    def _seated(self, state: MatchState) -> None:
        """Compare the seats with the true ones when a shot is shown."""
        if not state.seating.sure:
            self.seats_unknown += 1
        elif self.seats is not None and state.seating.directions != self.seats:
            self.seats_wrong.append(state.game.round.number)

    def settled(self, state: MatchState, truth: rules.Match, hands: bool = False) -> None:
        """Compare the shown discs with the true ones, after a board was read. A difference is only suspected; it counts
        if it is still shown at the next shot, see `shot`. With `hands` over the board no new suspicion arises. A
        suspicion ends when the table shows the disc rightly."""
        number = truth.round.number
        if state.game.round.number != number or truth.round.complete:
            return
        suspects = {(number, kind, disc) for kind, disc in self._suspected(state, truth)}
        if hands:
            suspects &= self._suspects
        self._suspects = set() if state.questions else suspects

    def _suspected(self, state: MatchState, truth: rules.Match) -> set[tuple[str, str]]:
        """The wrongly shown discs: (kind of error, disc)."""
        flat = {id_: disc for id_, disc in truth.round.board.discs.items() if disc.pose == "flat"}
        seating = Seating(self.seats) if self.seats is not None else state.seating
        if state.seating.sure and state.seating.directions[1] != seating.directions[1]:
            return {("turned", id_) for id_ in flat}  # the whole board is shown turned: a disc can be right by chance
        return set(_differences(flat, state, seating))

    def shot(self) -> None:
        """The next shot was flicked: count all suspicions, which were shown as sure until now."""
        self._wrong_discs |= self._suspects
        self._suspects = set()

    def counts(self, state: MatchState, truth: rules.Match) -> tuple[Counts, list[RoundVerdict]]:
        """The sums for one match, and the errors of each round."""
        counts = Counts(asked=self.asked, false_events=self.early_ends, touched=len(self.touched))
        counts.latencies, counts.work = self.latencies, self.work
        counts.silent_wrong_discs = len(self._wrong_discs)
        counts.seats_wrong, counts.seats_unknown = len(self.seats_wrong), self.seats_unknown
        for question in state.questions.values():
            self._open.setdefault(question.asked.round, set()).add(question.id)
        claimed = {r.number: r for r in rounds_of(state.game)}
        verdicts = [
            self._compare(counts, true, claimed.pop(true.number, None), state.over) for true in rounds_of(truth)
        ]
        counts.false_events += sum(len(extra.shots) for extra in claimed.values())
        return counts, verdicts

    def _compare(self, counts: Counts, true: ComparedRound, claimed: ComparedRound | None, over: bool) -> RoundVerdict:
        wrong = []
        shots = self._aligned(true, claimed)
        counts.shots += len(true.shots)
        counts.verdicts_right += shots.right
        counts.verdicts_wrong += shots.wrong + shots.missed
        counts.false_events += shots.invented
        counts.shots_missed += shots.missed
        counts.shots_invented += shots.invented
        counts.rounds_astray += shots.wrong + shots.missed + shots.invented > ASTRAY
        if shots.right < len(true.shots) or shots.invented:
            wrong.append(f"{shots.wrong} verdicts wrong, {shots.missed} missed, {shots.invented} invented")
        if elsewhere := self.seats_wrong.count(true.number):
            wrong.append(f"{elsewhere} shots shown with players in wrong seats")
        silent = self._silent(true.number, ended_before=claimed is None and over)
        counts.silent_wrong_verdicts += (shots.wrong + shots.missed + shots.invented) * silent
        wrong += [f"{kind} {disc}" for number, kind, disc in sorted(self._wrong_discs) if number == true.number]
        if true.finished:
            wrong += self._compare_end(counts, true, claimed, silent)
        shown = tuple(f"{shot.disc} {verdict.reason or 'valid'}" for shot, verdict in claimed.shots) if claimed else ()
        return RoundVerdict(true.number, tuple(wrong), silent, shown)

    def _silent(self, number: int, ended_before: bool) -> bool:
        """Whether nobody was asked anything about this round. `ended_before`: the table ended the match before this
        round. Then an open question about any earlier round counts too, since it puts the match's end in doubt."""
        return not any(self._open.get(n) for n in (range(1, number + 1) if ended_before else (number,)))

    def _compare_end(
        self, counts: Counts, true: ComparedRound, claimed: ComparedRound | None, silent: bool
    ) -> list[str]:
        counts.rounds += 1
        wrong = []
        for side, number in true.twenties.items():
            seen = claimed.twenties.get(side, 0) if claimed else 0
            counts.twenties += number
            counts.twenties_missed += max(number - seen, 0)
            counts.twenties_extra += max(seen - number, 0)
            if seen != number:
                counts.silent_twenties += abs(seen - number) * silent
                wrong.append(f"{side} has {number} twenties, shown {seen}")
        totals = claimed.totals if claimed is not None and claimed.finished else None
        if totals != true.totals:
            counts.silent_wrong_rounds += silent
            wrong.append(f"totals {true.totals}, shown {totals}")
        elif true.number in self.touched:
            wrong.append("ended by a tap")
        else:
            counts.rounds_exact += 1
        return wrong

    def _aligned(self, true: ComparedRound, claimed: ComparedRound | None) -> Aligned:
        def may_be(happened: tuple[rules.Shot, rules.Judgement], said: tuple[rules.Shot, rules.Judgement]) -> bool:
            rest = self.rested.get((true.number, happened[0].disc), -math.inf)
            seen = self.seen_at.get((true.number, said[0].disc), math.inf)
            return happened[0].side == said[0].side and seen > rest - EARLIER

        def same(happened: tuple[rules.Shot, rules.Judgement], said: tuple[rules.Shot, rules.Judgement]) -> bool:
            return happened[1].valid == said[1].valid and _off(true, happened[1]) == _off(claimed, said[1])

        return align(true.shots, claimed.shots if claimed else (), may_be, same)


def _differences(flat: Mapping[str, rules.Disc], state: MatchState, seating: Seating) -> Iterator[tuple[str, str]]:
    """The true `flat` discs that are shown wrongly, and the discs shown as sure that do not exist: (kind, disc)."""
    shown = {name: at for name, at in state.on_board.items() if at.pose not in AT_HOLE}
    for id_, disc in flat.items():
        name = _nearest((disc.x, disc.y), {n: seating.shown(at.x, at.y) for n, at in shown.items()})
        if name is None:
            yield "missing", id_
        elif (at := shown.pop(name)).call == "sure":
            yield from ((kind, id_) for kind in _wrong(at, state.side_of(name), disc))
    yield from (("ghost", name) for name, at in shown.items() if at.call == "sure")


def _nearest(at: tuple[float, float], places: Mapping[str, tuple[float, float]]) -> str | None:
    """The disc of `places` nearest to `at`; None if none is within `SAME_DISC`."""
    off = {name: math.dist(place, at) for name, place in places.items()}
    name = min(off, key=lambda n: off[n], default=None)
    return name if name is not None and off[name] <= SAME_DISC else None


def _wrong(shown: ev.Measured, side: str | None, true: rules.Disc) -> Iterator[str]:
    """The error of a disc shown as sure: its zone, else its side."""
    if shown.zone != true.zone:
        yield "zone"
    elif side != true.side:
        yield "side"


def true_directions(camera: Camera, pose: CameraPose, sits: Mapping[int, int]) -> Directions:
    """The direction of each seat in the board frame of a calibrated `camera`. `sits`: the place of each seat of the
    match at the table, in the frame of the true `pose`. The directions are whole quarter turns, so they do not change
    when the board is bumped or turned by some degrees."""
    at_seat = pose.project((0.0, -TOURNAMENT.outer_line, 0.0))
    x, y = camera.to_board(np.asarray(at_seat, np.float64))
    first = SIDES_OF_THE_BOARD[round((seat_angle(1) - math.degrees(math.atan2(y, x))) / 90.0) % 4]
    return {seat: clockwise(first, place - 1) for seat, place in sits.items()}


def rounds_of(game: rules.Match) -> list[ComparedRound]:
    """Every round of a match in order, the running one last."""
    return [
        ComparedRound(
            r.number,
            tuple((s.shot, _as_it_stands(s)) for s in r.shots),
            dict(r.totals),
            dict(r.twenty_counts),
            r.complete,
        )
        for r in game.all_rounds
        if r.shots
    ]


def _as_it_stands(played: rules.JudgedShot) -> rules.Judgement:
    """The judgement with later corrections, which in a simulated match only the table makes."""
    kept = [removal for removal in played.judgement.removed if removal.disc not in played.corrected]
    off = {disc: rest for disc, rest in played.corrected.items() if disc not in played.board}
    kept += [rules.Removal(d, "twenty" if isinstance(at, rules.Hole) else "left_surface") for d, at in off.items()]
    return replace(played.judgement, removed=tuple(kept))


def _off(played: ComparedRound | None, judgement: rules.Judgement) -> list[tuple[str, bool]]:
    """The side of each disc that is off, and whether it is a twenty: discs of one side are indistinguishable."""
    sides: Mapping[str, str] = {s.disc: s.side for s, _ in played.shots} if played else {}
    return sorted((sides.get(removal.disc, ""), removal.why == "twenty") for removal in judgement.removed)
