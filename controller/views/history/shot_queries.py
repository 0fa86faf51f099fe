"""The query for the document `shots/1`."""

from collections.abc import Mapping
from typing import Any

from controller.views.history.shot_sums import COLUMNS, COUNTED
from controller.views.history.tables import Tables
from controller.views.schema.shots import Flicks, KindFigures, Shots

PAGE = 50  # players in one answer

SUMS = ", ".join("max(fastest)" if name == "fastest" else f"sum({name})" for name in COLUMNS)


def shots(tables: Tables, player: str | None, since: str | None, until: str | None, page: int) -> Shots:
    """The document `shots/1`. `since` and `until` are days, both included."""
    span: dict[str, Any] = {
        "since": since or "0", "until": until or "9999", "player": player, "first": (page - 1) * PAGE,
    }  # fmt: skip
    whose = "player = :player AND" if player is not None else ""
    ((*sums,),) = tables.read(f"SELECT {SUMS} FROM shot_sums WHERE {whose} day BETWEEN :since AND :until", span)
    rows = tables.read(
        "SELECT player, sum(flicks), sum(speeds), max(fastest) FROM shot_sums WHERE day BETWEEN :since AND :until "
        f"GROUP BY player HAVING sum(flicks) > 0 ORDER BY player LIMIT {PAGE + 1} OFFSET :first",
        span,
    )
    return {
        "schema": "shots/1",
        "since": since,
        "until": until,
        "player": player,
        "kinds": _kinds(dict(zip(COLUMNS, sums, strict=True))),
        "flicks": [_flicks(*row) for row in rows[:PAGE]],
        "next": page + 1 if len(rows) > PAGE else None,
    }


def _kinds(sums: Mapping[str, int | None]) -> list[KindFigures]:
    found: list[KindFigures] = [
        {
            "kind": kind,
            "distance": distance,
            "shots": sums[f"{kind}_{distance}_shots"] or 0,
            "hits": sums[f"{kind}_{distance}_hits"] or 0,
        }
        for kind, distance in COUNTED
    ]
    return [one for one in found if one["shots"]]


def _flicks(player: str, count: int, total: int, fastest: int) -> Flicks:
    return {"player": player, "shots": count, "mean": round(total / count), "fastest": fastest}
