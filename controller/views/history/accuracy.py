"""The document `accuracy/1`, from the tables: the table's errors according to people, by month, kind and version.

Every correction, ruling and spot check of a match is a label of such an error. A correction of something that the
table had asked about is no error: it was not shown as sure. A correction of anything else is a silent error that
somebody noticed. Errors that nobody noticed leave no trace here. Only the spot checks estimate their number, since
their rounds are chosen before anybody knows how they go."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from controller.journal.store import Readers
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.questions import UNKNOWN
from controller.match.state import MatchState
from controller.match.undo import standing
from controller.views.history.tables import Tables

ErrorKind = Literal["verdict", "twenty", "ring", "missed", "extra", "side", "totals"]
"""What was wrong: a verdict, a twenty, a ring, a missed shot, a shot that nobody made, who sits where, or totals."""


Label = (
    ErrorKind
    | Literal["matches", "shots", "rounds", "questions", "rounds_asked", "confirmed", "overturned"]
    | Literal["corrected_asked", "rounds_silent", "checks", "checks_wrong"]
)
"""What is counted; an `ErrorKind`: the noticed silent errors of this kind."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's correction: what was wrong, in which round, and the disc, if it is about one."""

    kind: ErrorKind
    round: int
    disc: str | None = None
    shot: int | None = None  # its `ShotSeen`

    def asked_in(self, asked: ev.QuestionAsked) -> bool:
        """Whether this question was about it. Without a disc, any question of the round counts."""
        if asked.what == "check" or asked.round != self.round:
            return False
        return self.disc is None or self.disc in (asked.disc, *asked.discs) or (asked.shot or 0) == self.shot


def labels(history: Sequence[Stamped], state: MatchState) -> Counter[Label]:
    """A match's counts, from its events (`history`) and its final state."""
    live = standing(history)
    questions = {s.id: s.event for s in live if isinstance(s.event, ev.QuestionAsked) and s.event.what != "check"}
    rounds = {one.round for one in questions.values()}
    found: Counter[Label] = Counter(
        {
            "matches": 1,
            "shots": sum(isinstance(s.event, ev.ShotSeen) and s.event.by == "table" for s in live),
            "rounds": len(state.finished),
            "questions": len(questions),
            "rounds_asked": len(rounds),
        }
    )
    found.update(_answers(live, rounds))
    found.update(_errors(_corrections(live, state), questions))
    return found


def _answers(live: Sequence[Stamped], rounds: set[int]) -> Iterator[Label]:
    """The answers to questions and spot checks; `rounds`: those in which there were questions."""
    measured: Mapping[str, ev.Measured] = {}
    asked: dict[int, tuple[ev.QuestionAsked, Mapping[str, ev.Measured]]] = {}  # with the board at that time
    for s in live:
        match s.event:
            case ev.ShotSeen() | ev.BoardSeen():
                measured = s.event.measured
            case ev.QuestionAsked():
                asked[s.id] = s.event, measured
            case ev.QuestionAnswered(answer=answer) if answer != UNKNOWN:
                for question, board in (asked[one] for one in s.event.questions if one in asked):
                    if question.what != "check":
                        yield "confirmed" if _as_shown(question, answer, board) else "overturned"
                        continue
                    yield "checks"
                    if answer == "wrong" and question.round not in rounds:
                        yield "checks_wrong"


def _as_shown(asked: ev.QuestionAsked, answer: str, measured: Mapping[str, ev.Measured]) -> bool:
    disc = measured.get(asked.disc or "")
    if asked.what == "close_call" and asked.case != "pushed" and disc is not None:
        return answer == str(disc.zones_in_doubt[0])
    return not asked.events_of(answer)


def _errors(
    corrections: Iterator[tuple[int, Correction]], questions: Mapping[int, ev.QuestionAsked]
) -> Iterator[Label]:
    """The corrections, each as what it corrects."""
    first: dict[Correction, int] = {}  # the same thing corrected twice is one error
    for id_, one in corrections:
        first.setdefault(one, id_)
    rounds = set()
    for one, id_ in first.items():
        if any(number < id_ and one.asked_in(question) for number, question in questions.items()):
            yield "corrected_asked"
        else:
            yield one.kind
            if one.round not in rounds:
                yield "rounds_silent"
            rounds.add(one.round)


def _corrections(live: Sequence[Stamped], state: MatchState) -> Iterator[tuple[int, Correction]]:
    """People's contradictions of the table, with their events."""
    of = _Rounds(live, state)
    learnt = False  # whether the table has learnt the seats by itself
    for s in live:
        event = s.event
        if not event.by_people:
            learnt |= isinstance(event, ev.SeatsLearnt)
        elif isinstance(event, ev.SeatsLearnt):
            if learnt:
                yield s.id, Correction("side", of.at(s.id))
        elif (one := of.correction(s.id, event)) is not None:
            yield s.id, one


class _Rounds:
    """The round of each shot and each event of a match."""

    def __init__(self, live: Sequence[Stamped], state: MatchState) -> None:
        self._played = {id_: number for (number, _), id_ in state.shots.items()}
        self._discs = {s.id: s.event.disc for s in live if isinstance(s.event, ev.ShotSeen)}

    def at(self, id_: int) -> int:
        return max((one for one in self._played.items() if one[0] <= id_), default=(0, 1))[1]

    def correction(self, id_: int, event: ev.Event) -> Correction | None:
        """What a person's event corrects; None if it corrects nothing in a round."""
        match event:
            case ev.ShotCorrected(target=target, agreed=None) if target in self._played:
                kind: ErrorKind = "extra" if event.annulled else "verdict"
                return Correction(kind, self._played[target], self._discs[target], target)
            case ev.DiscCorrected():
                kind = "twenty" if event.zone == 20 else "ring"
                return Correction(kind, self.at(event.after or id_), event.disc)
            case ev.ShotSeen():
                return Correction("missed", self.at(id_), event.disc)
            case ev.RoundCorrected():
                return Correction("totals" if event.totals else "twenty", event.round)
        return None


MONTHS = 24


@dataclass
class Share:
    """How often something happened, with the 95 % bounds of Clopper and Pearson."""

    count: int  #: How often it did.
    of: int  #: How often it could have.
    least: float  #: The lower bound of the true share, 0..1.
    most: float  #: The upper bound of the true share, 0..1.

    @classmethod
    def seen(cls, count: int, of: int) -> "Share":
        """A share with its bounds."""
        least, most = bounds(min(count, of), of)  # a round that is not finished may have errors too
        return cls(count, of, round(least, 5), round(most, 5))


@dataclass
class Accuracy:
    """The table's accuracy in one group of matches."""

    name: str  #: The month, the kind of table or the program's version; empty for all matches.
    matches: int  #: Those that the table refereed.
    shots: int  #: Shots that the table saw.
    questions: int  #: Questions to people.
    rounds_asked: Share  #: Rounds in which the table asked something, of all finished rounds.
    likelier_right: Share  #: Questions that people answered as the table had shown, of those that they could answer.
    rounds_silent: Share
    """Rounds with an error that was shown as sure and that somebody noticed. The true share is larger, unless people
    also correct what was right."""
    spot_checks: Share
    """Rounds found wrong though nothing was asked, of the rounds that were spot-checked: an estimate without bias."""
    silent: dict[ErrorKind, int]  #: The noticed silent errors by kind.
    corrected_asked: int  #: Corrections that the table had asked for, which are no silent errors.


@dataclass(kw_only=True)
class TableAccuracy:
    """The table's accuracy according to people's corrections and spot checks."""

    schema: Literal["accuracy/1"] = "accuracy/1"  #: Which document this is.
    all: Accuracy  #: Every match.
    months: list[Accuracy]  #: By month, oldest first; the newest 24.
    kinds: list[Accuracy]  #: By the table's devices: `camera+hole`, `camera`, `hole`, `hand` or `simulated`.
    versions: list[Accuracy]  #: By the program's version, oldest first.


def accuracy(tables: Tables | Readers) -> TableAccuracy:
    """The table's accuracy over all matches that it refereed."""
    return TableAccuracy(
        all=_group("", _counts(tables, "''")[""]),
        months=[_group(*month) for month in sorted(_named(tables, "substr(day, 1, 7)"))][-MONTHS:],
        kinds=[_group(*kind) for kind in sorted(_named(tables, "kind"))],
        versions=[_group(*version) for version in _named(tables, "version")],
    )


def _counts(tables: Tables | Readers, by: str) -> defaultdict[str, Counter[Label]]:
    """The labels of each group of matches, the group of the first match first."""
    groups: defaultdict[str, Counter[Label]] = defaultdict(Counter)
    query = f"SELECT {by} AS name, label, sum(count) FROM labels_of GROUP BY name, label ORDER BY min(match)"
    for name, label, count in tables.read(query):
        groups[name][label] = count
    return groups


def _named(tables: Tables | Readers, by: str) -> Iterator[tuple[str, Counter[Label]]]:
    return ((name, counts) for name, counts in _counts(tables, by).items() if name)


def _group(name: str, n: Counter[Label]) -> Accuracy:
    return Accuracy(
        name=name,
        matches=n["matches"],
        shots=n["shots"],
        questions=n["questions"],
        rounds_asked=Share.seen(n["rounds_asked"], n["rounds"]),
        likelier_right=Share.seen(n["confirmed"], n["confirmed"] + n["overturned"]),
        rounds_silent=Share.seen(n["rounds_silent"], n["rounds"]),
        spot_checks=Share.seen(n["checks_wrong"], n["checks"]),
        silent={kind: n[kind] for kind in get_args(ErrorKind)},
        corrected_asked=n["corrected_asked"],
    )


TAIL = 0.025  # of the probability, beyond each of the two bounds: together they hold with 95 %
HALVINGS = 50  # of the interval from 0 to 1: far finer than any count


def bounds(count: int, of: int) -> tuple[float, float]:
    """The 95 % bounds of a share, of Clopper and Pearson (Biometrika 26, 1934), which hold for every true one."""
    return 1 - highest(of - count, of), highest(count, of)


def highest(count: int, of: int, tail: float = TAIL) -> float:
    """The largest share for which `count` or fewer of `of` trials have at least the probability `tail`."""
    if count == of:
        return 1.0
    ways = [math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) for k in range(count + 1)]
    low, high = count / of, 1.0
    for _ in range(HALVINGS):
        p = (low + high) / 2
        one, other = math.log(p), math.log1p(-p)
        common = math.fsum(math.exp(way + k * one + (of - k) * other) for k, way in enumerate(ways)) > tail
        low, high = (p, high) if common else (low, p)
    return high
