"""A match's contribution to its players' figures by kind of shot, and their flicks: rows that SQL adds up.

What each kind is, `controller.match.shot_kinds` defines.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from controller.match.shot_kinds import BY_DISTANCE, KINDS, Distance, Kind, PlayedShot, kinds

COUNTED: tuple[tuple[Kind, Distance], ...] = tuple(
    (kind, distance) for kind in KINDS for distance in (BY_DISTANCE if kind in ("contact", "takeout") else ("any",))
)

COLUMNS = (
    *(f"{kind}_{distance}_{what}" for kind, distance in COUNTED for what in ("shots", "hits")),
    "flicks",
    "speeds",
    "fastest",
)
"""Whole numbers. Of the flicks with a known speed: their count, the sum of their speeds and the highest, in mm/s."""

TABLE = f"""
CREATE TABLE shot_sums_of (        -- what kinds of shots a player played in a match
    match INTEGER NOT NULL,
    key   TEXT NOT NULL,
    day   TEXT NOT NULL,
    {", ".join(f"{name} INTEGER NOT NULL" for name in COLUMNS)},
    PRIMARY KEY (match, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX shot_sums_by_player ON shot_sums_of (key, day);
"""


def shot_rows(shots: Iterable[tuple[str, PlayedShot]]) -> dict[str, tuple[int, ...]]:
    """A match's rows, in the order of `COLUMNS`, by player; from its shots, each with who played it."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for player, shot in shots:
        row = found[player]
        for one in kinds(shot):
            row[f"{one.kind}_{one.distance}_shots"] += 1
            row[f"{one.kind}_{one.distance}_hits"] += one.hit
        if shot.speed is not None:
            speed = round(shot.speed)
            row["flicks"] += 1
            row["speeds"] += speed
            row["fastest"] = max(row["fastest"], speed)
    return {player: tuple(row[name] for name in COLUMNS) for player, row in found.items()}
