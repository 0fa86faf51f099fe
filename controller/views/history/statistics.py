"""Figures over many matches: trends, spreads, resting places, streaks and records. SQL adds them up. Each has its
sample size, and is null if that is too small: a share of three rounds means nothing."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

from controller.views.history.tables import Tables
from controller.views.schema import figures as sf

ENOUGH_ROUNDS = 10
"""The number of rounds from which a mean or a share is shown: the standard error of a share, at most half of 1/sqrt(n),
is then 16 per cent. With fewer, chance alone makes a player look twice as good as another of the same strength."""
ENOUGH_SHOTS = 30  # the number of shots from which a density is shown: a place with a tenth of them then has three hits
MAX_DAYS = 30  # days of play that a trend shows singly; with more, it shows months
MAX_POINTS = 60  # the newest: five years of months
CELL = 16.0  # mm, the breadth of the cells in which resting shots are counted: about a disc's radius, 15.9 mm
Span = dict[str, Any]
SPAN = "day BETWEEN :since AND :until AND day > ''"

STREAKS = f"""
WITH ended AS (
    SELECT player, match, won > 0 AND lost = 0 AND tied = 0 AS victory FROM played
    WHERE matches > 0 AND {SPAN} AND (:player IS NULL OR player = :player)
), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY player ORDER BY match)
        - row_number() OVER (PARTITION BY player, victory ORDER BY match) AS run FROM ended
), runs AS (
    SELECT player, victory, count(*) AS length, max(match) AS match FROM numbered GROUP BY player, victory, run
)
"""
"""A player's finished matches as runs of victories and of others. In each run, the number of the match among all the
player's, less its number among those of the same kind, stays the same."""

BESTS: tuple[tuple[sf.RecordKind, str], ...] = (
    ("round_points", "best_round"),
    ("round_twenties", "best_twenties"),
    ("match_twenties", "iif(rounds_with_twenties = rounds, twenties, 0)"),
    ("twenties_in_a_row", "run_of_twenties"),
)


def _whose(span: Span) -> str:
    return f"{SPAN} AND player = :player" if span["player"] is not None else SPAN


def mean(total: int, rounds: int, digits: int) -> float | None:
    """A mean, if it is significant."""
    return round(total / rounds, digits) if rounds >= ENOUGH_ROUNDS else None


def trend(tables: Tables, span: Span) -> sf.Trend:
    """Figures by day, or by month if there are many days, in order of time."""
    ((days,),) = tables.read(f"SELECT count(DISTINCT day) FROM played WHERE {_whose(span)}", span)
    by_month = days > MAX_DAYS
    begins = "substr(day, 1, 7) || '-01'" if by_month else "day"
    rows = tables.read(
        f"SELECT {begins} AS begins, count(DISTINCT match), sum(rounds), sum(rounds_counted), sum(points), "
        "sum(rounds_with_twenties), sum(twenties), sum(hammer), sum(hammer_won) "
        f"FROM played WHERE {_whose(span)} GROUP BY begins ORDER BY begins DESC LIMIT {MAX_POINTS}",
        span,
    )
    return {
        "by": "month" if by_month else "day",
        "points": [
            {
                "begins": day,
                "matches": matches,
                "rounds": rounds,
                "mean_round": mean(points, counted, 1),
                "twenties_a_round": mean(twenties, recorded, 2),
                "won_with_hammer": mean(won, hammer, 3),
            }
            for day, matches, rounds, counted, points, recorded, twenties, hammer, won in reversed(rows)
        ],
    }


def practice(tables: Tables, span: Span) -> list[sf.Practice]:
    """Players' practice, by player, what is counted, and number of discs: the best, and the newest."""
    rows = tables.read(
        f"SELECT player, counts, discs, day, match, twenties, total FROM practised WHERE {_whose(span)} "
        "ORDER BY player, counts DESC, discs, day, match, round",
        span,
    )
    found: list[sf.Practice] = []
    for (player, counts, discs), group in groupby(rows, key=lambda row: row[:3]):
        points: list[sf.PracticePoint] = [
            {"day": day, "match": match, "twenties": twenties, "total": total}
            for *_, day, match, twenties, total in group
        ]
        found.append(
            {
                "player": player,
                "counts": counts,
                "discs": discs,
                "times": len(points),
                "best": max(points, key=_reached(counts)),
                "points": points[-MAX_POINTS:],
            }
        )
    return found


def _reached(counts: str) -> Callable[[sf.PracticePoint], tuple[int, int]]:
    """The key that compares rounds of practice; the earliest of equal ones is the best."""
    if counts == "twenties":
        return lambda point: (point["twenties"] or 0, 0)
    return lambda point: (point["total"], point["twenties"] or 0)


def by_twenties(tables: Tables, span: Span) -> list[sf.RoundsByTwenties]:
    """The number of rounds by the number of the own side's twenties."""
    rows = tables.read(
        f"SELECT twenties, sum(rounds) FROM spread WHERE {_whose(span)} GROUP BY twenties ORDER BY twenties", span
    )
    return [{"twenties": twenties, "rounds": rounds} for twenties, rounds in rows]


def density(tables: Tables, span: Span) -> sf.Density:
    """The number of resting shots by seat and cell of the board."""
    rows = tables.read(
        f"SELECT seat, CAST(round(x / {CELL}) AS INTEGER) AS right, CAST(round(y / {CELL}) AS INTEGER) AS up, count(*) "
        f"FROM places WHERE {_whose(span)} GROUP BY seat, right, up",
        span,
    )
    return {"cell": CELL, "enough": ENOUGH_SHOTS, "cells": [list(row) for row in rows]}


def streaks(tables: Tables, span: Span) -> dict[str, sf.Streaks]:
    """Each player's longest and current run of victories."""
    rows = tables.read(
        STREAKS + "SELECT player, max(length * victory), max(CASE WHEN match = newest THEN length * victory ELSE 0 END)"
        " FROM (SELECT *, max(match) OVER (PARTITION BY player) AS newest FROM runs) GROUP BY player",
        span,
    )
    return {player: {"longest": longest, "now": now} for player, longest, now in rows}


def records(tables: Tables, span: Span) -> list[sf.Record]:
    """The record of each kind, and the first to reach it."""
    found = [_best(tables, span, kind, column) for kind, column in BESTS]
    runs = tables.read(
        STREAKS + "SELECT length, match, player FROM runs WHERE victory AND (length, match) = "
        "(SELECT length, match FROM runs WHERE victory ORDER BY length DESC, match LIMIT 1) ORDER BY player",
        span,
    )
    if runs:
        players = [player for _, _, player in runs]
        found.append({"kind": "wins_in_a_row", "value": runs[0][0], "match": runs[0][1], "players": players})
    return [one for one in found if one is not None]


def _best(tables: Tables, span: Span, kind: sf.RecordKind, column: str) -> sf.Record | None:
    rows = tables.read(
        f"SELECT {column}, match FROM played WHERE {_whose(span)} AND {column} > 0 "
        f"ORDER BY {column} DESC, match LIMIT 1",
        span,
    )
    if not rows:
        return None
    ((value, match),) = rows
    players = tables.read(
        f"SELECT player FROM played WHERE {_whose(span)} AND match = :match AND {column} = :value ORDER BY player",
        {**span, "match": match, "value": value},
    )
    return {"kind": kind, "value": value, "match": match, "players": [player for (player,) in players]}
