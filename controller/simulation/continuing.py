"""The finished matches of a long run, one JSON line each, so that an interrupted run can continue."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from controller.errors import BadInput
from controller.simulation.plan import MatchPlan
from controller.simulation.playing import Played

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
