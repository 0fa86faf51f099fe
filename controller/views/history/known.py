"""The players known to the table, the likeliest next players first."""

from controller.views.history.tables import Tables
from controller.views.schema.history import KnownPlayer

MOST_KNOWN = 500  # players in one answer, at most 80 kB

WEIGHTS = ((4, 100), (14, 70), (31, 50), (90, 30))
OLDEST = 10
"""What a match weighs by its age in days before the newest day of play: how Firefox weighs visits when it suggests
addresses ("frecency": buckets of 4, 14, 31 and 90 days with the weights 100, 70, 50, 30, and 10 for older ones)."""

AGE = "julianday((SELECT max(day) FROM matches)) - julianday(day)"

WEIGHT = "CASE " + " ".join(f"WHEN {AGE} <= {days} THEN {weight}" for days, weight in WEIGHTS) + f" ELSE {OLDEST} END"


def known_players(tables: Tables) -> list[KnownPlayer]:
    """Players by how recently and how often they played, those first who did so most."""
    rows = tables.read(
        f"SELECT player, count(DISTINCT match), count(DISTINCT day), min(day), max(day), sum({WEIGHT}) AS weight "
        f"FROM played WHERE day > '' GROUP BY player ORDER BY weight DESC, player LIMIT {MOST_KNOWN}"
    )
    return [
        {"player": player, "matches": matches, "days": days, "first": first, "last": last}
        for player, matches, days, first, last, _ in rows
    ]
