"""`simulate`: plays many matches, one process per core, and reports on all of them. The finished ones can be stored,
one JSON line each, so that an interrupted run can continue."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
from pydantic import TypeAdapter

from controller.errors import BadInput
from controller.simulation.comparison import Counts
from controller.simulation.plan import MatchPlan
from controller.simulation.playing import Played, play

PLAYED = TypeAdapter(Played)


class StoredMatches:
    """The matches of one file that were played with the same options, `how`. Without a file nothing is stored. Raises
    `BadInput` if the file can't be used."""

    def __init__(self, path: Path | None, how: dict[str, Any]) -> None:
        self._path = path
        self._how = how
        self._known: dict[str, Played] = {}
        try:
            text = path.read_text("utf-8") if path is not None and path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} can't be read: name a file that --continue has written, or a new one.") from error
        whole, end, _ = text.rpartition("\n")  # an interrupted run leaves a partial last line
        self._bytes = len((whole + end).encode())
        for number, line in enumerate(whole.splitlines(), start=1):
            document = _read(line, place=f"{path}, line {number}")
            if document.get("how") == how:
                played = PLAYED.validate_python(document["played"])
                self._known[_key(played.plan)] = played

    def missing(self, plans: Iterable[MatchPlan]) -> list[MatchPlan]:
        """The plans of matches that are still to be played."""
        return [plan for plan in plans if _key(plan) not in self._known]

    def add(self, played: Played) -> None:
        """Write a finished match to the file before returning."""
        self._known[_key(played.plan)] = played
        if self._path is None:
            return
        line = json.dumps({"how": self._how, "played": PLAYED.dump_python(played, mode="json")})
        try:
            with self._path.open("ab") as file:
                file.truncate(self._bytes)
                self._bytes += file.write(line.encode() + b"\n")
        except OSError as error:
            raise BadInput(f"{self._path} can't be written ({error.strerror}): name another file.") from error

    def all(self, plans: Iterable[MatchPlan]) -> Iterator[Played]:
        """The matches of these plans, in their order; all have been played."""
        return (self._known[_key(plan)] for plan in plans)


def _read(line: str, *, place: str) -> dict[str, Any]:
    try:
        document = json.loads(line)
        PLAYED.validate_python(document["played"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{place} is not a match written by --continue: name another file.") from error
    return dict(document)


def _key(plan: MatchPlan) -> str:
    return json.dumps(TypeAdapter(MatchPlan).dump_python(plan, mode="json"), sort_keys=True)


NO_FAULTS = "none"
GROUPS = ("rules", "format", "players", "quarter", "begins", "lamps", "fault")


@dataclass(slots=True)
class Sums:
    """Counts of all matches, and of groups of matches, by the group's kind and name."""

    total: Counts = field(default_factory=Counts)
    groups: dict[str, dict[str, Counts]] = field(default_factory=lambda: {kind: {} for kind in GROUPS})

    def add(self, plan: MatchPlan, counts: Counts) -> None:
        """Add a match. One with several faults counts under each."""
        self.total.add(counts)
        for kind, name in _groups(plan):
            self.groups[kind].setdefault(name, Counts()).add(counts)

    def by(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Each group's main counts, with the bounds of its silent errors."""
        return {
            kind: {name: _short(counts) | {"bounds": counts.silence()} for name, counts in sorted(by.items())}
            for kind, by in self.groups.items()
        }


def simulate(
    plans: Sequence[MatchPlan],
    *,
    frames_per_second: float = 30.0,
    film: bool = True,
    jobs: int = 1,
    keep: Path | None = None,
    continued: Path | None = None,
) -> dict[str, Any]:
    """Play these matches and report. The counts do not depend on `jobs`, only the times do.

    `film`: whether the table films shots. `continued`: a file of finished matches, see `StoredMatches`. Raises
    `BadInput` if it can't be used.

    The report has the sums by the names of `Counts`, their confidence `bounds`, the same counts by the `GROUPS`, the
    arrangement of each match, and every wrong round."""
    began = time.perf_counter()
    sums = Sums()
    wrong: list[dict[str, Any]] = []
    matches = StoredMatches(continued, {"frames_per_second": frames_per_second, "film": film, "kept": keep is not None})
    task = partial(play, frames_per_second=frames_per_second, film=film, keep=keep)
    for played in _each(task, matches.missing(plans), jobs):
        matches.add(played)
    for played in matches.all(plans):
        sums.add(played.plan, played.counts)
        wrong += _wrong(played)
    sums.total.wall_seconds = time.perf_counter() - began
    return {
        **sums.total.report(),
        "matches": len(plans),
        "frames_per_second": frames_per_second,
        "film": film,
        "bounds": sums.total.bounds(),
        "by": sums.by(),
        "arranged": [{"match": plan.number, "title": plan.title, **plan.truth} for plan in plans],
        "wrong_rounds": wrong,
    }


def _each(task: Callable[[MatchPlan], Played], plans: Sequence[MatchPlan], jobs: int) -> Iterator[Played]:
    """The matches, each as soon as it is over."""
    if jobs == 1:
        yield from map(task, plans)
        return
    # Spawned, since a fork would inherit OpenCV's threads.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_alone) as pool:
        for done in as_completed([pool.submit(task, plan) for plan in plans]):
            yield done.result()


def _alone() -> None:
    cv2.setNumThreads(1)  # the other matches use the other cores


def _groups(plan: MatchPlan) -> Iterator[tuple[str, str]]:
    yield "rules", plan.rules
    yield "format", str(plan.format["kind"]) if plan.format else "usual"
    yield "players", plan.players
    yield "quarter", str(plan.arrangement.quarter)
    yield "begins", plan.starter[1]
    yield "lamps", "late" if plan.arrangement.lamps_on else "on"
    for fault in plan.faults or (NO_FAULTS,):
        yield "fault", fault


def _short(counts: Counts) -> dict[str, Any]:
    """The main counts."""
    document = counts.report()
    times = ("frames", "reads", "ms_per_gate", "ms_per_read", "wall_seconds", "cpu_seconds", "latency")
    return {name: value for name, value in document.items() if name not in times}


def _wrong(played: Played) -> Iterator[dict[str, Any]]:
    plan = played.plan
    for verdict in played.wrong:
        yield {
            "match": plan.number,
            "title": plan.title,
            "faults": list(plan.faults),
            "round": verdict.number,
            "wrong": list(verdict.wrong),
            "silent": verdict.silent,
            "truth": plan.truth,
        }
