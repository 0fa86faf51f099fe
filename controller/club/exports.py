"""An evening as files: for a spreadsheet, for programs, and in the formats of other programs.

| file | holds |
| --- | --- |
| `standings.csv` | the standings, a line for each entrant, with the figures of the whole evening; empty if unknown |
| `matches.csv` | every match with its result, a line each |
| `evening.json` | all of that, with the rounds of each match that a table reported |
| `cmn.json` | the matches with known rounds, in Crokinole Match Notation |
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from controller.club.hub.report import Report, ReportedMatch, ReportedRound, evening_report
from controller.club.hub.results import sides_in_order
from controller.club.tournament.state import ClubBoard, TournamentMatch
from controller.errors import BadInput
from controller.exchange import PlayedMatch, cmn, from_state
from controller.exchange.spreadsheet import MARK, lines
from controller.messages import encoded, say

MATCHES = (
    "round",
    "stage",
    "board",
    "first",
    "second",
    "points_first",
    "points_second",
    "twenties_first",
    "twenties_second",
    "won",
    "word",
)
STANDINGS = ("place", "name", "here", "matches", "byes", "points", "twenties", "twenties_missing")


@dataclass(frozen=True, slots=True)
class Export:
    """A file: its name, type and text. `left_out`: the number of finished matches that it can't express."""

    name: str
    mimetype: str
    text: str
    left_out: int = 0


def export(report: Report, kind: str) -> Export:
    """An evening as one of `FILES`. Raises `BadInput` for another kind."""
    if kind not in FILES:
        raise BadInput(say("There is no file {name} of an evening; there are {names}.", name=kind, names=tuple(FILES)))
    text, left_out = FILES[kind](report)
    mimetype = "text/csv" if kind.endswith(".csv") else "application/json"
    return Export(f"{report.evening.day}-{kind}", mimetype, text, left_out)


# --- spreadsheets and JSON


def _standings(report: Report) -> tuple[str, int]:
    rows = evening_report(report).standings
    return MARK + lines([STANDINGS, *([getattr(row, name) for name in STANDINGS] for row in rows)]), 0


def _matches(report: Report) -> tuple[str, int]:
    board = report.tournament.state.any_board
    rows = (_row(round, match, board) for round in evening_report(report).rounds for match in round.matches)
    return MARK + lines([MATCHES, *rows]), 0


def _row(round: ReportedRound, match: ReportedMatch, board: Callable[[str], ClubBoard]) -> tuple[object, ...]:
    won = "" if match.won is None else match.names[match.won]
    label = "" if match.board is None else board(match.board).label
    points, twenties = match.points or ("", ""), match.twenties or ("", "")
    return (round.number, round.stage, label, *match.names, *points, *twenties, won, match.word)


def _json(report: Report) -> tuple[str, int]:
    return encoded(evening_report(report)) + "\n", 0


# --- Crokinole Match Notation


def _cmn(report: Report) -> tuple[str, int]:
    state = report.tournament.state
    known = [played(report, match) for match in state.matches_of() if match.id in report.reported]
    over = [match for match in known if match.over]
    written = cmn.batch(over, {"name": report.evening.title or report.club, "type": "club", "venue": report.club})
    return encoded(written) + "\n", sum(match.result is not None for match in state.matches_of()) - len(over)


def played(report: Report, match: TournamentMatch) -> PlayedMatch:
    """A match with the rounds that its table reported. Names are the tournament's: a table keeps 40 letters of each."""
    reported = report.reported[match.id]
    assert reported.state is not None
    state = report.tournament.state
    own = from_state(reported.state, reported.history[0].at)
    straight = sides_in_order(state, match, reported.summary) == reported.summary.sides
    one, two = match.sides if straight else match.sides[::-1]
    return replace(own, sides=(state.entrant(one).players, state.entrant(two).players))


FILES: Mapping[str, Callable[[Report], tuple[str, int]]] = {
    "standings.csv": _standings,
    "matches.csv": _matches,
    "evening.json": _json,
    "cmn.json": _cmn,
}
"""The files of an evening, by the last part of their names."""
