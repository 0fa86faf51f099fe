"""The document `accuracy/1`, from the tables: the table's errors according to people, by month, kind and version."""

import math
import sqlite3
from contextlib import closing, suppress
from typing import Any, get_args

from controller.journal import Journal
from controller.journal.store import Readers
from controller.views.history.labels import LABELS
from controller.views.history.tables import Tables, history_path
from controller.views.schema.figures import Accuracy, ErrorKind, Share, TableAccuracy

MONTHS = 24
SUMS = ", ".join(f"coalesce(sum({name}), 0)" for name in LABELS)


def accuracy(tables: Tables | Readers) -> TableAccuracy:
    """The table's accuracy over all matches that it refereed."""
    ((*every,),) = tables.read(f"SELECT '', count(*), {SUMS} FROM labels_of")
    return {
        "schema": "accuracy/1",
        "all": _group(every),
        "months": _groups(tables, "substr(day, 1, 7)", "name")[-MONTHS:],
        "kinds": _groups(tables, "kind", "name"),
        "versions": _groups(tables, "version", "min(match)"),
    }


def kept_accuracy(journal: Journal) -> TableAccuracy | None:
    """The same from the tables beside a journal; None if there are none of this version."""
    path = history_path(journal)
    if path.exists():
        with closing(Readers(path)) as readers, suppress(sqlite3.Error):
            return accuracy(readers)
    return None


def _groups(tables: Tables | Readers, by: str, order: str) -> list[Accuracy]:
    rows = tables.read(
        f"SELECT {by} AS name, count(*), {SUMS} FROM labels_of WHERE name > '' GROUP BY name ORDER BY {order}"
    )
    return [_group(row) for row in rows]


def _group(row: list[Any]) -> Accuracy:
    name, matches, *sums = row
    n: dict[str, int] = dict(zip(LABELS, sums, strict=True))
    kinds: tuple[ErrorKind, ...] = get_args(ErrorKind)
    return {
        "name": name,
        "matches": matches,
        "shots": n["shots"],
        "questions": n["questions"],
        "rounds_asked": _share(n["rounds_asked"], n["rounds"]),
        "likelier_right": _share(n["confirmed"], n["confirmed"] + n["overturned"]),
        "rounds_silent": _share(n["rounds_silent"], n["rounds"]),
        "spot_checks": _share(n["checks_wrong"], n["checks"]),
        "silent": {kind: n[f"silent_{kind}"] for kind in kinds},
        "corrected_asked": n["corrected_asked"],
    }


def _share(count: int, of: int) -> Share:
    least, most = bounds(min(count, of), of)  # a round that is not finished may have errors too
    return {"count": count, "of": of, "least": round(least, 5), "most": round(most, 5)}


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
