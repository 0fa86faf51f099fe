"""Crokinole Reference's two sheets, `Matches` and `Results`, as comma-separated values.

Source: the columns and checks of its published scripts (`excelimport.py`, `inputcheck.py`):

| there | here |
| --- | --- |
| two rows for each player of a match: `Pts` (2 for a round won, 1 for a tie), `20s` | a round's points and twenties |
| `First/Hammer`: a player's role in round 1, alternating from there | empty, with a comment, if it did not alternate |
| partners are one player, joined by a slash | a slash in a name becomes a hyphen |
| at most 20 rounds | a longer match is refused |
| no word for unknown | twenties that nobody recorded, and their total, are left empty |
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from controller.exchange.played import MatchFormat, NotExpressible, Occasion, PlayedMatch, Standing
from controller.exchange.spreadsheet import lines
from controller.messages import say
from controller.rules import known_sum

ROUNDS = 20
MATCHES = (
    "Inclusion", "Date", "Tournament", "Division", "Category", "Stage", "Pool", "StageGame", "Board", "Position",
    "Player", "Opponent", "First/Hammer", "Comment", "Pts/20s", "Total",
    *(f"Round{n}" for n in range(1, ROUNDS + 1)),
)  # fmt: skip
RESULTS = (
    "Inclusion", "Classification", "Date", "Tournament", "League", "Division", "Category", "Format", "Stage", "Pool",
    "Player", "Games", "Pts", "20s", "Rank", "Team", "Comment",
)  # fmt: skip
INCLUSION = "Public"  # its scripts skip rows marked `Private`
DIVISION = "Competitive-Fingers"  # its division for play without cues
STAGES = frozenset(
    ("Prelim", "Power Pool", "R16", "R8", "Quarter", "Final 8", "Final 6", "Final 4", "Final 3", "Page Playoff", "Semi",
     "Semi G1", "Semi G2", "Semi G3", "Final", "Final G1", "Final G2", "Final G3", "4 Player Singles", "Doubles",
     "Singles")
)  # fmt: skip

Row = Sequence[object]


def matches(played: Iterable[PlayedMatch], occasion: Occasion) -> Iterator[Row]:
    """The rows of the sheet `Matches`, the heading first. Raises `NotExpressible` for a match that does not fit."""
    _check(occasion)
    yield MATCHES
    for match in played:
        yield from _rows(match, occasion)


def results(standings: Iterable[Standing], occasion: Occasion, *, final: bool) -> Iterator[Row]:
    """The rows of the sheet `Results` for one ranking, the heading first. `final`: the event's final ranking; else the
    scores of one stage and pool."""
    _check(occasion)
    yield RESULTS
    for line in standings:
        yield (
            INCLUSION, "Final Rank" if final else "Scores", occasion.day, occasion.name, "",
            occasion.division or DIVISION, _category(len(line.players) > 1), "",
            "" if final else occasion.stage or "Prelim", "" if final else occasion.pool or "A", _player(line.players),
            float(line.games), float(line.points), "" if line.twenties is None else float(line.twenties), line.rank, "",
            line.comment,
        )  # fmt: skip


def _rows(match: PlayedMatch, occasion: Occasion) -> Iterator[Row]:
    _check_match(match)
    hammer, comment = _hammer(match)
    for side, other in ((0, 1), (1, 0)):
        for what, figures in (
            ("Pts", [played.points[side] for played in match.rounds]),
            ("20s", [None if played.twenties is None else played.twenties[side] for played in match.rounds]),
        ):
            yield (
                INCLUSION, occasion.day, occasion.name, occasion.division or DIVISION,
                _category(match.doubles), occasion.stage or "Prelim", occasion.pool or "A", "", "", "",
                _player(match.sides[side]), _player(match.sides[other]), hammer[side], comment, what,
                known_sum(figures), *figures, *[""] * (ROUNDS - len(figures)),
            )  # fmt: skip


def _check_match(match: PlayedMatch) -> None:
    if match.format["kind"] == "points":
        raise NotExpressible(say("Crokinole Reference counts 2 points a round; this match was played to points."))
    if len(match.rounds) > ROUNDS:
        raise NotExpressible(
            say("Crokinole Reference has room for {most} rounds; this match has {n}.", most=ROUNDS, n=len(match.rounds))
        )


def _hammer(match: PlayedMatch) -> tuple[tuple[str, str], str]:
    """Each side's role in round 1, and a comment on who shot first if that did not alternate."""
    starts = [played.first for played in match.rounds]
    if any(one == other for one, other in pairwise(starts)):
        return ("", ""), "First shooter by round: " + " ".join(_player(match.sides[first]) for first in starts)
    if not starts:
        return ("", ""), ""
    return (("First", "Hammer") if starts[0] == 0 else ("Hammer", "First")), ""


def _category(doubles: bool) -> str:
    return "Doubles" if doubles else "Singles"


def _player(players: Sequence[str]) -> str:
    return "/".join(name.replace("/", "-") for name in players)


def _check(occasion: Occasion) -> None:
    if not occasion.name or not occasion.day:
        raise NotExpressible(say("Crokinole Reference keeps matches of events: give the event a name and a day."))
    division = occasion.division or DIVISION
    if division.count("-") != 1 or " " in division:
        raise NotExpressible(
            say("“{division}” is not a division of Crokinole Reference: one hyphen, no blanks.", division=division)
        )
    if occasion.stage and occasion.stage not in STAGES:
        raise NotExpressible(say("“{stage}” is not a stage that Crokinole Reference knows.", stage=occasion.stage))


def _text(match: PlayedMatch, event: str) -> str:
    day = match.began.astimezone().date().isoformat()
    return lines(matches([match], Occasion(event, day)))


FORMAT = MatchFormat("as rows of Crokinole Reference's sheet, with --event", _text)
