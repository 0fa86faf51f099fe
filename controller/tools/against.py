"""Replays a kept round and compares it with the truth according to people, shot by shot."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from controller.errors import BadInput, Refused
from controller.match.state import MatchState
from controller.rules.alignment import paired
from controller.table.kept_rounds import TRUTH, round_document
from controller.tools.replay import player_of
from hardware.files import read_json
from hardware.recording import RecordedCommand, read_recording

BY_THE_TABLE = ("start", "end_round", "confirm", "turn_seats", "pause", "resume", "time_out", "shoot_out")
"""The commands that are replayed. All others enter what the table should find by itself."""
Shot = Mapping[str, Any]
OUTCOMES = ("right", "asked", "silently_wrong", "missed", "extra")


def against(folder: Path, *, reread: bool = False) -> dict[str, Any]:
    """The document `round-score/1` of an unpacked round. Raises `BadInput` or `HardwareError` if it can't be used."""
    truth = _truth(folder / TRUTH)
    entries = read_recording(folder)
    with player_of(entries, reread=reread) as (engine, player):
        for entry in entries:
            if isinstance(entry, RecordedCommand) and entry.command.get("do") not in BY_THE_TABLE:
                continue
            with suppress(Refused):  # a command that depends on an omitted one
                list(player.play(entry))
        state = engine.state
        if state is None:
            raise BadInput(f"{folder} holds no match: its recording begins before one was started.")
        return score(round_document(state, truth["round"]), truth["truth"], _asked(state, truth["round"]))


class _Verdict(TypedDict):
    disc: str
    side: str
    valid: bool
    removed: list[dict[str, str]]
    twenties: list[str]
    annulled: NotRequired[bool]


class _Round(TypedDict):
    shots: list[_Verdict]
    totals: dict[str, int]


class _Kept(TypedDict):
    schema: Literal["kept-round/1"]
    round: int
    truth: _Round


_KEPT = TypeAdapter(_Kept)


def _truth(path: Path) -> _Kept:
    """The truth according to people. Raises `BadFile` or `BadInput`, which name the file and what is wrong."""
    try:
        return _KEPT.validate_python(read_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path}, {where}: {first['msg']}. Save the round again.") from error


def _asked(state: MatchState, number: int) -> set[str]:
    """The discs of a round's shots with an open question."""
    shots = {id_: shot for (round_, shot), id_ in state.shots.items() if round_ == number}
    played = next((one.shots for one in state.game.all_rounds if one.number == number), ())
    found: set[str] = set()
    for question in state.questions.values():
        asked = question.asked
        found |= {asked.disc or "", *asked.discs}
        if asked.shot in shots and shots[asked.shot] <= len(played):
            found.add(played[shots[asked.shot] - 1].shot.disc)
    return found


def score(shown: Mapping[str, Any], truth: Mapping[str, Any], asked: set[str]) -> dict[str, Any]:
    """Each shot as the table shows it and as it was, with the outcome of the comparison."""
    shots = list(_outcomes(shown["shots"], truth["shots"], asked))
    counts = {name: sum(one["outcome"] == name for one in shots) for name in OUTCOMES}
    right = shown["totals"] == truth["totals"]
    return {
        "schema": "round-score/1",
        "shots": shots,
        "counts": counts,
        "totals": {"shown": shown["totals"], "truth": truth["totals"], "right": right},
    }


def _outcomes(shown: Sequence[Shot], truth: Sequence[Shot], asked: set[str]) -> Iterator[dict[str, Any]]:
    for mine, true in paired(shown, truth, _same_side, _agree):
        if mine is None:
            outcome = "missed"
        elif true is not None and _agree(mine, true):
            outcome = "right"
        elif {mine["disc"], *(one["disc"] for one in mine["removed"])} & asked:
            outcome = "asked"
        else:
            outcome = "extra" if true is None else "silently_wrong"
        yield {"shown": mine, "truth": true, "outcome": outcome}


def _same_side(shown: Shot, true: Shot) -> bool:
    return bool(shown["side"] == true["side"])


def _agree(shown: Shot, true: Shot) -> bool:
    return _key(shown) == _key(true)


def _key(shot: Shot) -> tuple[Any, ...]:
    """What must agree in two accounts of a shot; the discs' numbers may differ after a missed shot."""
    removed = sorted((one["disc"][0], one["why"]) for one in shot["removed"])
    return shot["side"], shot["valid"], tuple(removed), len(shot["twenties"]), shot.get("annulled", False)
