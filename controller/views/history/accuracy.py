"""The document `accuracy/1`, from the tables: the table's errors according to people, by month, kind and version."""

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Literal, get_args

from controller.journal import Journal
from controller.journal.store import Readers
from controller.views.history.labels import ErrorKind, Label
from controller.views.history.tables import Tables, history_path

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


def kept_accuracy(journal: Journal) -> TableAccuracy | None:
    """The same from the tables beside a journal; None if there are none of this version."""
    path = history_path(journal)
    if path.exists():
        with closing(Readers(path)) as readers, suppress(sqlite3.Error):
            return accuracy(readers)
    return None


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
    kinds: tuple[ErrorKind, ...] = get_args(ErrorKind)
    return Accuracy(
        name=name,
        matches=n["matches"],
        shots=n["shots"],
        questions=n["questions"],
        rounds_asked=Share.seen(n["rounds_asked"], n["rounds"]),
        likelier_right=Share.seen(n["confirmed"], n["confirmed"] + n["overturned"]),
        rounds_silent=Share.seen(n["rounds_silent"], n["rounds"]),
        spot_checks=Share.seen(n["checks_wrong"], n["checks"]),
        silent={kind: n[kind] for kind in kinds},
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
