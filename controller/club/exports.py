"""An evening as files: for a spreadsheet, for programs, and in the formats of other programs.

| file | holds |
| --- | --- |
| `standings.csv` | the standings, a line for each entrant |
| `matches.csv` | every match with its result, a line each |
| `evening.json` | all of that, with the rounds of each match that tables told |
| `cmn.json` | the matches of which the rounds are known, in Crokinole Match Notation |
| `reference-matches.csv` | the same matches on Crokinole Reference's sheet `Matches` |
| `reference-results.csv` | the standings on its sheet `Results` |

In Crokinole Reference a match of the play-offs has the stage by how many rounds are left; the match for third place is
pool B of the final. Its other matches are of the stage `Prelim`, and their pools are A, B, C and so on.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from controller.club.hub import documents as doc
from controller.club.hub.report import Report, whole
from controller.club.hub.results import sides_in_order
from controller.club.tournament import Match, bracket, standings
from controller.club.tournament.playoffs import THIRD
from controller.errors import BadInput
from controller.exchange import Occasion, PlayedMatch, Standing, cmn, crokinole_reference, from_state
from controller.exchange.spreadsheet import MARK, lines
from controller.messages import encoded, say

STAGES = {1: "Final", 2: "Semi", 3: "Quarter", 4: "R16"}
"""Crokinole Reference's stages of play-offs by how many rounds are left, this one counted."""

MATCHES = (
    "round", "stage", "board", "first", "second", "points_first", "points_second", "twenties_first", "twenties_second",
    "won", "word",
)  # fmt: skip
STANDINGS = ("place", "name", "here", "matches", "points", "twenties", "twenties_missing")


@dataclass(frozen=True, slots=True)
class Export:
    """A file: its name, its type, its text. `left_out`: how many matches that are over it has no place for."""

    name: str
    mimetype: str
    text: str
    left_out: int = 0


def export(report: Report, club: str, kind: str) -> Export:
    """An evening of a club as one of `FILES`. Raises `BadInput` for another kind, and `NotExpressible`."""
    if kind not in FILES:
        raise BadInput(say("There is no file {name} of an evening; there are {names}.", name=kind, names=tuple(FILES)))
    text, left_out = FILES[kind](report, club)
    mimetype = "text/csv" if kind.endswith(".csv") else "application/json"
    return Export(f"{_day(report)}-{kind}", mimetype, text, left_out)


def _day(report: Report) -> str:
    """The day on which the evening began, by this machine's clock and time zone."""
    return dt.datetime.fromtimestamp(report.evening.at).date().isoformat()


# --- spreadsheets and JSON


def _standings(report: Report, club: str) -> tuple[str, int]:
    rows = whole(report, club, None)["standings"]
    return MARK + lines([STANDINGS, *([_cell(row[name]) for name in STANDINGS] for row in rows)]), 0  # type: ignore[literal-required]


def _cell(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def _matches(report: Report, club: str) -> tuple[str, int]:
    named = report.tournament.state.board_label
    told = (_line(round, match, named) for round in whole(report, club, None)["rounds"] for match in round["matches"])
    return MARK + lines([MATCHES, *told]), 0


def _line(round: doc.ReportedRound, match: doc.ReportedMatch, named: Callable[[str], str]) -> tuple[object, ...]:
    won = "" if match["won"] is None else match["names"][match["won"]]
    board = "" if match["board"] is None else named(match["board"])
    points, twenties = match["points"] or ("", ""), match["twenties"] or ("", "")
    return (round["number"], round["stage"], board, *match["names"], *points, *twenties, won, match["word"])


def _json(report: Report, club: str) -> tuple[str, int]:
    return encoded(whole(report, club, None)) + "\n", 0


# --- other programs'


def _cmn(report: Report, club: str) -> tuple[str, int]:
    state = report.tournament.state
    known = [played(report, match) for match in state.matches_of() if match.id in report.told]
    over = [match for match in known if match.over]
    written = cmn.batch(over, _occasion(report, club))
    return encoded(written) + "\n", _finished(report) - len(over)


def _finished(report: Report) -> int:
    """How many matches have a result."""
    return sum(match.result is not None for match in report.tournament.state.matches_of())


def played(report: Report, match: Match) -> PlayedMatch:
    """A match whose rounds its table told. Its players are the tournament's: a table knows at most 40 letters."""
    told = report.told[match.id]
    assert told.state is not None
    assert told.told is not None
    state = report.tournament.state
    own = from_state(told.state, told.history[0].at)
    straight = sides_in_order(state, match, told.told) == told.told.sides
    one, two = match.sides if straight else match.sides[::-1]
    return replace(own, sides=(state.entrant(one).players, state.entrant(two).players))


def _occasion(report: Report, club: str) -> Occasion:
    return Occasion(name=report.evening.title or club, day=_day(report), kind="club", venue=club)


def _reference_matches(report: Report, club: str) -> tuple[str, int]:
    state = report.tournament.state
    known = [match for match in state.matches_of() if match.id in report.told]
    rows: list[crokinole_reference.Row] = [crokinole_reference.MATCHES]
    count = 0
    for (stage, pool), matches in groupby(known, key=lambda match: _stage_and_pool(report, match)):
        if stage is None:
            continue
        occasion = replace(_occasion(report, club), stage=stage, pool=pool)
        own = [played(report, match) for match in matches]
        count += len(own)
        rows += [*crokinole_reference.matches(own, occasion)][1:]
    return lines(rows), _finished(report) - count


def _stage_and_pool(report: Report, match: Match) -> tuple[str | None, str]:
    """What Crokinole Reference calls the stage, None where it has no word for it, and the pool."""
    state = report.tournament.state
    if not state.known_format.stages[match.stage].knock_out:
        return "Prelim", chr(ord("A") + match.group)
    rounds = bracket(state, match.stage)
    if match.slot == THIRD:
        return STAGES[1], "B"
    left = len(rounds) - int(match.slot.partition(".")[0]) + 1
    return STAGES.get(left), "A"


def _reference_results(report: Report, club: str) -> tuple[str, int]:
    state = report.tournament.state
    found = standings(state) if state.stages else []
    told = [
        Standing(row.place, state.entrant(row.entrant).players, row.matches, row.points, row.twenties) for row in found
    ]
    return lines(crokinole_reference.results(told, _occasion(report, club), final=True)), 0


FILES: Mapping[str, Callable[[Report, str], tuple[str, int]]] = {
    "standings.csv": _standings,
    "matches.csv": _matches,
    "evening.json": _json,
    "cmn.json": _cmn,
    "reference-matches.csv": _reference_matches,
    "reference-results.csv": _reference_results,
}
"""The files of an evening, by the end of their names."""
