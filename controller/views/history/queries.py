"""Queries of the history's tables. Each answer is bounded, however many matches there are."""

import json
from collections.abc import Mapping
from typing import Any

from controller.match.players import Names, side_name
from controller.messages import Message
from controller.views.history import statistics
from controller.views.history.figures import BESTS, COUNTED, FIGURES, NEAR, SHOT_COLUMNS, Tally, player_document
from controller.views.history.tables import Tables
from controller.views.schema import figures as sf
from controller.views.schema import history as sc
from controller.views.schema.history import KnownPlayer

PAGE = 50  # matches, players or pairs of opponents in one answer
MAX_PLACES = 1000  # resting places in one answer: 70 kB, and more than a picture can show
MAX_NEAR = 50
MAX_NAMES = 2000  # players to choose from, at most 160 kB
MAX_BYTES = 150_000  # of the lines in one answer: matches of very many rounds make fewer lines
SPAN = "day BETWEEN :since AND :until"
SUMS = ", ".join(f"max({name})" if name in BESTS else f"sum({name})" for name in FIGURES)


def lines(
    tables: Tables, names: Names, before: int | None, player: str | None, since: str | None, until: str | None
) -> tuple[list[sc.MatchInShort], int | None]:
    """Summaries of the matches before the match `before`, the newest first; and the next `before`."""
    of_player = "match IN (SELECT match FROM played WHERE player = :player) AND" if player is not None else ""
    rows = tables.read(
        f"SELECT match, line FROM matches WHERE {of_player} +{SPAN} AND match < :before AND line IS NOT NULL "
        f"ORDER BY match DESC LIMIT {PAGE + 1}",
        {**_span(since, until), "player": player, "before": before if before is not None else 2**62},
    )
    found: list[sc.MatchInShort] = []
    size = 0
    for _, text in rows[:PAGE]:
        size += len(text)
        if found and size > MAX_BYTES:
            break
        line: Any = json.loads(text)
        line["rules_name"] = Message(line["rules_name"])
        for side in line["sides"]:
            side["name"] = side_name(side["name"], side["players"], names.shown)
            side["players"] = [names.shown(player) for player in side["players"]]
        found.append(line)
    return found, found[-1]["id"] if len(found) < len(rows) else None


def deleted(tables: Tables) -> list[int]:
    """The deleted matches, the newest first."""
    rows = tables.read(f"SELECT match FROM matches WHERE deleted ORDER BY match DESC LIMIT {PAGE}")
    return [match for (match,) in rows]


def unreadable(tables: Tables) -> list[sc.Unreadable]:
    """The matches that were set aside, with the reasons."""
    rows = tables.read(f"SELECT match, trouble FROM matches WHERE trouble IS NOT NULL ORDER BY match DESC LIMIT {PAGE}")
    return [{"match": match, "text": trouble} for match, trouble in rows]


def names(tables: Tables) -> list[str]:
    """Everybody who has played, in order."""
    everybody = "SELECT player FROM played UNION SELECT player FROM practised"
    rows = tables.read(f"{everybody} ORDER BY player LIMIT {MAX_NAMES}")
    return [name for (name,) in rows]


def figures(tables: Tables, player: str | None, since: str | None, until: str | None, page: int) -> sf.Figures:
    """The document `figures/1`. `since` and `until` are days, both included."""
    span: dict[str, Any] = {**_span(since, until), "player": player, "first": (page - 1) * PAGE}
    days = [
        day for (day,) in tables.read(f"SELECT DISTINCT day FROM matches WHERE {SPAN} AND day > '' ORDER BY day", span)
    ]
    ((count,),) = tables.read(f"SELECT count(*) FROM matches WHERE {SPAN} AND day > ''", span)
    players, more_players = _players(tables, span)
    met, more_met = _met(tables, span)
    return {
        "schema": "figures/1",
        "since": since,
        "until": until,
        "matches": count,
        "days": days,
        "players": players,
        "head_to_head": met,
        "next": page + 1 if more_players or more_met else None,
        "player": player,
        "places": _places(tables, span),
        "near": _near(tables, span),
        "enough_rounds": statistics.ENOUGH_ROUNDS,
        "trend": statistics.trend(tables, span),
        "rounds_by_twenties": statistics.by_twenties(tables, span),
        "density": statistics.density(tables, span),
        "records": statistics.records(tables, span),
        "practice": statistics.practice(tables, span),
    }


def _span(since: str | None, until: str | None) -> dict[str, str]:
    return {"since": since or "0", "until": until or "9999"}


def _of_player(span: dict[str, Any]) -> str:
    return "player = :player AND" if span["player"] is not None else ""


def _players(tables: Tables, span: dict[str, Any]) -> tuple[list[sf.PlayerFigures], bool]:
    rows = tables.read(
        f"SELECT player, {SUMS} FROM played WHERE {SPAN} GROUP BY player ORDER BY player "
        f"LIMIT {PAGE + 1} OFFSET :first",
        span,
    )
    runs = statistics.streaks(tables, {**span, "player": None})
    none: sf.Streaks = {"longest": 0, "now": 0}
    found = [player_document(name, Tally(*sums), runs.get(name, none)) for name, *sums in rows[:PAGE]]
    return found, len(rows) > PAGE


def _met(tables: Tables, span: dict[str, Any]) -> tuple[list[sf.HeadToHead], bool]:
    one = ":player IN (first, second) AND" if span["player"] is not None else ""
    rows = tables.read(
        "SELECT first, second, count(*), sum(won_first), sum(won_second), sum(tied), sum(twenties_first), "
        "sum(twenties_second), count(twenties_first + twenties_second) "
        f"FROM meetings WHERE {one} {SPAN} GROUP BY first, second ORDER BY first, second "
        f"LIMIT {PAGE + 1} OFFSET :first",
        span,
    )
    found: list[sf.HeadToHead] = [
        {
            "players": [first, second],
            "matches": count,
            "won": [a, b],
            "tied": tied,
            "matches_with_twenties": recorded,
            "twenties": [c, d],
        }
        for first, second, count, a, b, tied, c, d, recorded in rows[:PAGE]
    ]
    return found, len(rows) > PAGE


def _places(tables: Tables, span: dict[str, Any]) -> list[sf.RestingPlace]:
    """The resting places of shot discs that stayed, the newest first: one player's, or everybody's."""
    rows = tables.read(
        f"SELECT x, y, zone, seat, player FROM places WHERE {_of_player(span)} {SPAN} "
        f"ORDER BY day DESC, match DESC, round DESC, number DESC LIMIT {MAX_PLACES}",
        span,
    )
    return [{"x": x, "y": y, "zone": zone, "seat": seat, "player": name} for x, y, zone, seat, name in rows]


def _near(tables: Tables, span: dict[str, Any]) -> list[sf.NearALine]:
    """Shots that came to rest near a line, the nearest first; below 0 mm the better ring was missed."""
    rows = tables.read(
        f"SELECT match, round, number, player, zone, clearance FROM places WHERE {_of_player(span)} {SPAN} "
        f"AND abs(clearance) <= {NEAR} ORDER BY abs(clearance), match, round, number LIMIT {MAX_NEAR}",
        span,
    )
    return [
        {"match": match, "round": round_, "number": number, "player": name, "zone": zone, "clearance": clearance}
        for match, round_, number, name, zone, clearance in rows
    ]


MAX_KNOWN = 500  # players in one answer, at most 80 kB
WEIGHTS = ((4, 100), (14, 70), (31, 50), (90, 30))
OLDEST = 10
"""What a match weighs by its age in days before the newest day of play: how Firefox weighs visits when it suggests
addresses ("frecency": buckets of 4, 14, 31 and 90 days with the weights 100, 70, 50, 30, and 10 for older ones)."""
AGE = "julianday((SELECT max(day) FROM matches)) - julianday(day)"
WEIGHT = "CASE " + " ".join(f"WHEN {AGE} <= {days} THEN {weight}" for days, weight in WEIGHTS) + f" ELSE {OLDEST} END"


def known_players(tables: Tables) -> list[KnownPlayer]:
    """The players who played most often and most recently, in that order."""
    rows = tables.read(
        f"SELECT player, count(DISTINCT match), count(DISTINCT day), min(day), max(day), sum({WEIGHT}) AS weight "
        f"FROM played WHERE day > '' GROUP BY player ORDER BY weight DESC, player LIMIT {MAX_KNOWN}"
    )
    return [
        {"player": player, "matches": matches, "days": days, "first": first, "last": last}
        for player, matches, days, first, last, _ in rows
    ]


SHOT_SUMS = ", ".join("max(fastest)" if name == "fastest" else f"sum({name})" for name in SHOT_COLUMNS)


def shots(tables: Tables, player: str | None, since: str | None, until: str | None, page: int) -> sf.Shots:
    """The document `shots/1`. `since` and `until` are days, both included."""
    span: dict[str, Any] = {**_span(since, until), "player": player, "first": (page - 1) * PAGE}
    ((*sums,),) = tables.read(f"SELECT {SHOT_SUMS} FROM shot_sums WHERE {_of_player(span)} {SPAN}", span)
    rows = tables.read(
        f"SELECT player, sum(flicks), sum(speeds), max(fastest) FROM shot_sums WHERE {SPAN} GROUP BY player "
        f"HAVING sum(flicks) > 0 ORDER BY player LIMIT {PAGE + 1} OFFSET :first",
        span,
    )
    return {
        "schema": "shots/1",
        "since": since,
        "until": until,
        "player": player,
        "kinds": _kinds(dict(zip(SHOT_COLUMNS, sums, strict=True))),
        "flicks": [
            {"player": name, "shots": count, "mean": round(total / count), "fastest": fastest}
            for name, count, total, fastest in rows[:PAGE]
        ],
        "next": page + 1 if len(rows) > PAGE else None,
    }


def _kinds(sums: Mapping[str, int | None]) -> list[sf.KindFigures]:
    found: list[sf.KindFigures] = [
        {
            "kind": kind,
            "distance": distance,
            "shots": sums[f"{kind}_{distance}_shots"] or 0,
            "hits": sums[f"{kind}_{distance}_hits"] or 0,
        }
        for kind, distance in COUNTED
    ]
    return [one for one in found if one["shots"]]
