"""A kept round played again and held against what people said is true, shot by shot."""

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
"""The commands that are carried out again. All others say what the table is to find by itself."""

Shot = Mapping[str, Any]

OUTCOMES = ("right", "asked", "silently_wrong", "missed", "extra")


def against(folder: Path, *, anew: bool = False) -> dict[str, Any]:
    """The document `round-score/1`. Raises `BadInput` or `HardwareError` where the folder can't be used."""
    truth = _truth(folder / TRUTH)
    entries = read_recording(folder)
    with player_of(entries, anew=anew) as (engine, player):
        for entry in entries:
            if isinstance(entry, RecordedCommand) and entry.command.get("do") not in BY_THE_TABLE:
                continue
            with suppress(Refused):  # a command that rests on one of those that were left out
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


class _Told(TypedDict):
    shots: list[_Verdict]
    totals: dict[str, int]


class _Kept(TypedDict):
    schema: Literal["kept-round/1"]
    round: int
    truth: _Told


_KEPT = TypeAdapter(_Kept)


def _truth(path: Path) -> _Kept:
    """What people said. Raises `BadInput` naming the file and what is wrong with it."""
    try:
        return _KEPT.validate_python(read_json(path))
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}. Give the folder of a kept round.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path}, {where}: {first['msg']}. Download the round again.") from error
    except ValueError as error:
        raise BadInput(f"{path} is not JSON ({error}). Download the round again.") from error


def _asked(state: MatchState, number: int) -> set[str]:
    """The discs of the shots of a round about which a question is open."""
    shots = {id_: shot for (round_, shot), id_ in state.shots.items() if round_ == number}
    played = next((one.shots for one in state.game.all_rounds if one.number == number), ())
    found: set[str] = set()
    for question in state.questions.values():
        asked = question.asked
        found |= {asked.disc or "", *asked.discs}
        if asked.shot in shots and shots[asked.shot] <= len(played):
            found.add(played[shots[asked.shot] - 1].shot.disc)
    return found


def score(told: Mapping[str, Any], truth: Mapping[str, Any], asked: set[str]) -> dict[str, Any]:
    """Each shot as the table has it and as it was, and how the two go together."""
    shots = list(_outcomes(told["shots"], truth["shots"], asked))
    counts = {name: sum(one["outcome"] == name for one in shots) for name in OUTCOMES}
    right = told["totals"] == truth["totals"]
    return {
        "schema": "round-score/1",
        "shots": shots,
        "counts": counts,
        "totals": {"told": told["totals"], "truth": truth["totals"], "right": right},
    }


def _outcomes(told: Sequence[Shot], truth: Sequence[Shot], asked: set[str]) -> Iterator[dict[str, Any]]:
    for mine, true in paired(told, truth, _same_side, _agree):
        if mine is None:
            outcome = "missed"
        elif true is not None and _agree(mine, true):
            outcome = "right"
        elif {mine["disc"], *(one["disc"] for one in mine["removed"])} & asked:
            outcome = "asked"
        else:
            outcome = "extra" if true is None else "silently_wrong"
        yield {"told": mine, "truth": true, "outcome": outcome}


def _same_side(told: Shot, true: Shot) -> bool:
    return bool(told["side"] == true["side"])


def _agree(told: Shot, true: Shot) -> bool:
    return _key(told) == _key(true)


def _key(shot: Shot) -> tuple[Any, ...]:
    """What two tellings of one shot must agree in; discs may be numbered otherwise where a shot was missed."""
    removed = sorted((one["disc"][0], one["why"]) for one in shot["removed"])
    return shot["side"], shot["valid"], tuple(removed), len(shot["twenties"]), shot.get("annulled", False)
